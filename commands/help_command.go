package commands

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/urfave/cli/v2"
)

// helpAnswer is what help shows: a text, and the tables that it is made of.
type helpAnswer struct {
	text     string
	document helpDocument
}

// helpForms are the formats of help.
var helpForms = forms[helpAnswer]{
	{"text", func(w *bufio.Writer, a helpAnswer) error {
		_, err := w.WriteString(a.text)
		return err
	}},
	{"json", func(w *bufio.Writer, a helpAnswer) error { return writeJSON(w, a.document) }},
}

// helpCommand prints what -h prints, and the topics. tree makes the tree that it is in.
func helpCommand(env Env, tree func() *cli.App) *cli.Command {
	return showing(env, shown{helpSchema, []string{"commands", "topics"}}, helpForms, &cli.Command{
		Name:      "help",
		Usage:     "print the help of cupel, of a command or of a topic: every document is one",
		ArgsUsage: "[COMMAND…|TOPIC]",
		UsageText: "cupel help\ncupel help evidence hash\ncupel help exit-codes\ncupel help session-logs | less",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Category: "Output", Value: "text", Usage: "`FORMAT`: text, or json: the commands with their flags, and the topics"},
		},
	}, func(c *cli.Context) (helpAnswer, error) { return helpOn(tree(), c.Args().Slice()) })
}

// helpOn is the help of the command or the topic that the words name.
func helpOn(app *cli.App, words []string) (helpAnswer, error) {
	if t, ok := findTopic(app, words); ok {
		text := t.text(app)
		return helpAnswer{text, helpDocumentOf(app, nil, []helpTopic{{t.name, t.title, text}})}, nil
	}
	line := readArgs(app, words)
	surplus := line.err == nil && len(line.operands) > 0 // more words than the command has
	if len(line.path) == 0 && len(words) > 0 || surplus {
		return helpAnswer{}, unknownHelp(app, strings.Join(words, " "))
	}
	if line.err != nil {
		return helpAnswer{}, line.err
	}
	return helpAnswer{line.helpText(), line.helpDocument()}, nil
}

// unknownHelp is the mistake of asking for help on what is neither a command nor a topic.
func unknownHelp(app *cli.App, asked string) error {
	var known []string
	for _, cmd := range leaves("", app.Commands) {
		known = append(known, cmd.name)
	}
	hint := suggest.Hint(asked, append(known, topicNames(app)...))
	if hint == "" {
		hint = "`cupel help` lists the commands and the topics"
	}
	return &usageError{fmt.Sprintf("unknown command or topic %q", asked), hint}
}
