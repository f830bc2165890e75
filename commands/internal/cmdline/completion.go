package cmdline

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/suggest"
)

// The completion scripts run `cupel __complete WORDS…`, with the incomplete word last, and offer the printed lines.
var (
	//go:embed completion/cupel.bash
	bashCompletion string
	//go:embed completion/cupel.zsh
	zshCompletion string
	//go:embed completion/cupel.fish
	fishCompletion string
	//go:embed completion/cupel.ps1
	powershellCompletion string
)

// CompletionScript returns the script of one of the shells.
func CompletionScript(shell string) (script string, ok bool) {
	switch shell {
	case "bash":
		return bashCompletion, true
	case "fish":
		return fishCompletion, true
	case "powershell":
		return powershellCompletion, true
	case "zsh":
		return zshCompletion, true
	}
	return "", false
}

// Shells returns the names of the shells with a script, in alphabetical order.
func Shells() []string { return []string{"bash", "fish", "powershell", "zsh"} }

// CompletionCommand is `cupel completion`.
func CompletionCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a shell completion script",
		ArgsUsage: strings.Join(Shells(), "|"),
		UsageText: "source <(cupel completion bash)\ncupel completion zsh > \"${fpath[1]}/_cupel\"\ncupel completion fish > ~/.config/fish/completions/cupel.fish",
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return &UsageError{"name one shell", suggest.KnownHint(Shells())}
			}
			script, ok := CompletionScript(c.Args().First())
			if !ok {
				return BadOperand("shell", c.Args().First(), Shells())
			}
			_, err := io.WriteString(env.Stdout, script)
			return err
		},
	}
}

// Offer is the list of completions for a line's last word.
type Offer struct {
	Kind  string // kind for the scripts: a constant below
	Keep  string // how the word begins whatever it becomes: "--format="
	Words []Word // what can follow that
}

// The kinds of completions: given words, or names of files or folders, which the shell completes.
const (
	OfferWords   = "words"
	offerFiles   = "files"
	offerFolders = "folders"
)

// CompleteCommand is called by the scripts. Its first line has the kind of completion and the word's prefix, the
// others a word and its meaning, separated by a tab. tree returns the command tree.
func CompleteCommand(env Env, tree func() *cli.App) *cli.Command {
	return &cli.Command{
		Name: "__complete", Hidden: true, ArgsUsage: "WORD…", Usage: "list what may follow, for the completion scripts",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "new", Usage: "nothing is typed yet of the last word, for shells that pass on no empty one"}},
		Action: func(c *cli.Context) error {
			words := c.Args().Slice()
			if c.Bool("new") {
				words = append(words, "")
			}
			o := Offered(tree(), words)
			var b strings.Builder
			fmt.Fprintf(&b, "%s\t%s\n", o.Kind, o.Keep)
			for _, w := range o.Words {
				fmt.Fprintf(&b, "%s\t%s\n", w.Name, inShort(w.Means))
			}
			_, err := io.WriteString(env.Stdout, b.String())
			return err
		},
	}
}

// Offered returns the completions of the last word.
func Offered(app *cli.App, words []string) Offer {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	line := ReadArgs(app, words[:len(words)-1])
	flag, value, assigned := strings.Cut(last, "=")
	isFlag := strings.HasPrefix(last, "-") && !line.ended
	var o Offer
	switch {
	case line.open != nil:
		o = offeredValue(line.open, last)
	case isFlag && assigned:
		if f := line.lookup(strings.TrimLeft(flag, "-")); f != nil && !IsSwitch(f) {
			o = offeredValue(f, value)
			o.Keep = flag + "=" + o.Keep
		}
	case isFlag:
		o.Words = line.flagWords()
	case line.Err == nil && len(line.Operands) == 0 && len(line.subcommands()) > 0:
		o.Words = commandWords(line.subcommands())
	default:
		o = line.offeredOperand(app)
	}
	if o.Kind == "" {
		o.Kind = OfferWords
	}
	typed := strings.TrimPrefix(last, o.Keep)
	o.Words = lessWords(o.Words, func(w Word) bool { return !strings.HasPrefix(w.Name, typed) })
	return o
}

// lessWords returns a copy of a list without some words.
func lessWords(list []Word, leaveOut func(Word) bool) []Word {
	return slices.DeleteFunc(slices.Clone(list), leaveOut)
}

func offeredValue(f cli.Flag, value string) (o Offer) {
	if s, ok := f.(Spoken); ok {
		known := s.Vocabulary()
		if format, _, toFile := strings.Cut(value, "="); toFile && known.files {
			return Offer{Kind: offerFiles, Keep: format + "="}
		}
		o.Words = known.Words()
		if known.Many {
			o.Keep = value[:strings.LastIndexByte(value, ',')+1]
			before := strings.Split(o.Keep, ",")
			o.Words = lessWords(o.Words, func(w Word) bool { return slices.Contains(before, w.Name) })
		}
		return o
	}
	name := metavar(f)
	if name == "JSON|@FILE" && strings.HasPrefix(value, "@") {
		return Offer{Kind: offerFiles, Keep: "@"}
	}
	return Offer{Kind: namesKind(name)}
}

// namesKind returns the kind of completion for a value's or operand's name in the help.
func namesKind(name string) string {
	switch {
	case slices.Contains(folderWords, name):
		return offerFolders
	case slices.Contains(fileWords, name):
		return offerFiles
	}
	return OfferWords
}

func (l *commandLine) offeredOperand(app *cli.App) Offer {
	cmd := l.Command()
	switch words := AboutOf(app, l.name()).Words; {
	case cmd == nil || l.Err != nil || !takesMore(cmd, len(l.Operands)):
		return Offer{}
	case l.name() == "help" && len(l.Operands) > 0:
		after := ReadArgs(app, l.Operands)
		return Offer{Words: after.furtherCommands()}
	case words != nil:
		return Offer{Words: lessWords(words(app), func(w Word) bool { return slices.Contains(l.Operands, w.Name) })}
	case strings.HasPrefix(l.name(), "oatf try "):
		return Offer{} // a PATH is one inside of a message, and all others are expressions
	}
	return Offer{Kind: namesKind(operandName(cmd))}
}

// furtherCommands returns the possible next commands, or none after an error.
func (l *commandLine) furtherCommands() []Word {
	if l.Err != nil || len(l.Operands) > 0 {
		return nil
	}
	return commandWords(l.subcommands())
}

func (l *commandLine) flagWords() (list []Word) {
	cmd := l.Command()
	if cmd == nil {
		return []Word{{"--help", "list the commands"}}
	}
	for _, f := range cmd.Flags {
		name := f.Names()[0]
		if IsRepeatable(f) || !l.given(name) {
			_, usage := NameFlag(f)
			list = append(list, Word{"--" + name, usage})
		}
	}
	return append(list, Word{"--help", "show examples and the common flags"}, Word{"--help-all", "show every flag"})
}
