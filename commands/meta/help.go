package metacmd

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/suggest"
)

type helpAnswer struct {
	text     string
	document cmdline.HelpDocument
}

var helpForms = app.Forms[helpAnswer]{
	{Name: "text", Write: func(w *bufio.Writer, a helpAnswer) error {
		_, err := w.WriteString(a.text)
		return err
	}},
	{Name: "json", Write: func(w *bufio.Writer, a helpAnswer) error { return app.WriteJSON(w, a.document) }},
}

type helpOptions struct {
	app.FormatOption
	All bool
}

// Help prints the help like -h, and the topics. tree returns the command tree.
func Help(tree func() *cli.App) app.Spec[helpOptions] {
	return app.Spec[helpOptions]{
		Name:     "help",
		Usage:    "show help for a command or topic",
		Operands: "[COMMAND…|TOPIC]",
		Examples: []string{"cupel help trace verify", "cupel help topics", "cupel help --all evidence hash", "cupel help session-logs | less"},
		About:    cmdline.About{Docs: []string{"cli"}, Words: cmdline.HelpWords},
		Shows:    app.Shown{Schema: cmdline.HelpSchema, Lists: []string{"commands", "topics"}},
		Flags: func(o *helpOptions) []cli.Flag {
			return []cli.Flag{
				&cli.BoolFlag{Name: "all", Destination: &o.All, Usage: "show every flag and example of a command"},
				o.Flag("`FORMAT`: text, or json: the commands with their flags, and the topics", helpForms.Words()),
			}
		},
		Run: app.Answer(helpForms, func(_ context.Context, r *app.Run, o helpOptions) (helpAnswer, error) {
			return helpOn(tree(), r.Operands, o.All)
		}),
	}
}

// helpOn returns the help for a command or topic.
func helpOn(app *cli.App, words []string, all bool) (helpAnswer, error) {
	if t, ok := cmdline.FindTopic(app, words); ok {
		text := t.Text(app)
		return helpAnswer{text, cmdline.HelpDocumentOf(app, nil, []cmdline.HelpTopic{{Name: t.Name, Title: t.Title, Text: text}})}, nil
	}
	line := cmdline.ReadArgs(app, words)
	surplus := line.Err == nil && len(line.Operands) > 0 // more words than the command has
	if len(line.Path) == 0 && len(words) > 0 || surplus {
		return helpAnswer{}, unknownHelp(app, strings.Join(words, " "))
	}
	if line.Err != nil {
		return helpAnswer{}, line.Err
	}
	return helpAnswer{line.HelpText(all), line.HelpDocument()}, nil
}

func unknownHelp(app *cli.App, asked string) error {
	var known []string
	for _, cmd := range cmdline.Leaves("", app.Commands) {
		known = append(known, cmd.Name)
	}
	hint := suggest.Hint(asked, append(known, cmdline.TopicNames(app)...))
	if hint == "" {
		hint = "`cupel help` lists the commands, `cupel help topics` the topics"
	}
	return &cmdline.UsageError{Message: fmt.Sprintf("unknown command or topic %q", asked), Hint: hint}
}
