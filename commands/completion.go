package commands

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/suggest"
)

// The completion scripts ask the program itself: each runs `cupel __complete WORDS…`,
// where the last word is the one being typed, and offers the lines that it prints.
// So they follow the command tree and never go out of date.
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

// completionScript returns the script of one of the shells.
func completionScript(shell string) (script string, ok bool) {
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

// shells are the names of the shells with a script, in alphabetical order.
func shells() []string { return []string{"bash", "fish", "powershell", "zsh"} }

func completionCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print the completion script of a shell",
		ArgsUsage: strings.Join(shells(), "|"),
		UsageText: "source <(cupel completion bash)\ncupel completion zsh > \"${fpath[1]}/_cupel\"\ncupel completion fish > ~/.config/fish/completions/cupel.fish",
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return &usageError{"name one shell", suggest.KnownHint(shells())}
			}
			script, ok := completionScript(c.Args().First())
			if !ok {
				return badOperand("shell", c.Args().First(), shells())
			}
			_, err := io.WriteString(env.Stdout, script)
			return err
		},
	}
}

// offer is what the last word of a line can become.
type offer struct {
	kind  string // what it is, for the scripts: a constant below
	keep  string // how the word begins whatever it becomes: "--format="
	words []word // what can follow that
}

// The kinds: words alone, or names of files or of folders, which are the shell's business.
const (
	offerWords   = "words"
	offerFiles   = "files"
	offerFolders = "folders"
)

// completeCommand is what the scripts call. Its first line has the kind of what may follow and
// how the word begins, each of the others a word and what it means, with a tab between. tree
// makes the tree that it is in, and known has the words for operands. It reads nothing but its
// arguments.
func completeCommand(env Env, tree func() *cli.App, known operandWords) *cli.Command {
	return &cli.Command{
		Name: "__complete", Hidden: true, ArgsUsage: "WORD…", Usage: "list what may follow, for the completion scripts",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "new", Usage: "nothing is typed yet of the last word, for shells that pass on no empty one"}},
		Action: func(c *cli.Context) error {
			words := c.Args().Slice()
			if c.Bool("new") {
				words = append(words, "")
			}
			o := offered(tree(), words, known)
			var b strings.Builder
			fmt.Fprintf(&b, "%s\t%s\n", o.kind, o.keep)
			for _, w := range o.words {
				fmt.Fprintf(&b, "%s\t%s\n", w.name, inShort(w.means))
			}
			_, err := io.WriteString(env.Stdout, b.String())
			return err
		},
	}
}

// operandWords are the words that an operand of a command can be, by the command's name; it is nil
// where none are known.
type operandWords func(app *cli.App, command string) func() []word

// offered is what the last word can become after the words before it.
func offered(app *cli.App, words []string, known operandWords) offer {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	line := readArgs(app, words[:len(words)-1])
	flag, value, assigned := strings.Cut(last, "=")
	isFlag := strings.HasPrefix(last, "-") && !line.ended
	var o offer
	switch {
	case line.open != nil:
		o = offeredValue(line.open, last)
	case isFlag && assigned:
		if f := line.lookup(strings.TrimLeft(flag, "-")); f != nil && !isSwitch(f) {
			o = offeredValue(f, value)
			o.keep = flag + "=" + o.keep
		}
	case isFlag:
		o.words = line.flagWords()
	case line.err == nil && len(line.operands) == 0 && len(line.subcommands()) > 0:
		o.words = commandWords(line.subcommands())
	default:
		o = line.offeredOperand(app, known)
	}
	if o.kind == "" {
		o.kind = offerWords
	}
	typed := strings.TrimPrefix(last, o.keep)
	o.words = lessWords(o.words, func(w word) bool { return !strings.HasPrefix(w.name, typed) })
	return o
}

// lessWords is a list less some of its words. The list may be a flag's own and stays as it is.
func lessWords(list []word, leaveOut func(word) bool) []word {
	return slices.DeleteFunc(slices.Clone(list), leaveOut)
}

// offeredValue is what the value of a flag can become.
func offeredValue(f cli.Flag, value string) (o offer) {
	if s, ok := f.(spoken); ok {
		known := s.vocabulary()
		if format, _, toFile := strings.Cut(value, "="); toFile && known.files {
			return offer{kind: offerFiles, keep: format + "="}
		}
		o.words = known.words()
		if known.many {
			o.keep = value[:strings.LastIndexByte(value, ',')+1]
			before := strings.Split(o.keep, ",")
			o.words = lessWords(o.words, func(w word) bool { return slices.Contains(before, w.name) })
		}
		return o
	}
	name := metavar(f)
	if name == "JSON|@FILE" && strings.HasPrefix(value, "@") {
		return offer{kind: offerFiles, keep: "@"}
	}
	return offer{kind: namesKind(name)}
}

// namesKind is the kind of a value, or an operand, by the word for it in the help.
func namesKind(name string) string {
	switch {
	case slices.Contains(folderWords, name):
		return offerFolders
	case slices.Contains(fileWords, name):
		return offerFiles
	}
	return offerWords
}

// offeredOperand is what an operand can become.
func (l *commandLine) offeredOperand(app *cli.App, known operandWords) offer {
	cmd := l.command()
	switch words := known(app, l.name()); {
	case cmd == nil || l.err != nil || !takesMore(cmd, len(l.operands)):
		return offer{}
	case l.name() == "help" && len(l.operands) > 0:
		after := readArgs(app, l.operands)
		return offer{words: after.furtherCommands()}
	case words != nil:
		return offer{words: lessWords(words(), func(w word) bool { return slices.Contains(l.operands, w.name) })}
	case strings.HasPrefix(l.name(), "oatf try "):
		return offer{} // a PATH is one inside of a message, and all others are expressions
	}
	return offer{kind: namesKind(operandName(cmd))}
}

// furtherCommands are the commands that may follow; none after a mistake.
func (l *commandLine) furtherCommands() []word {
	if l.err != nil || len(l.operands) > 0 {
		return nil
	}
	return commandWords(l.subcommands())
}

// flagWords are the flags that may follow: those of one value once.
func (l *commandLine) flagWords() (list []word) {
	cmd := l.command()
	if cmd == nil {
		return []word{{"--help", "show what there is"}}
	}
	for _, f := range cmd.Flags {
		name := f.Names()[0]
		if isRepeatable(f) || !l.given(name) {
			_, usage := nameFlag(f)
			list = append(list, word{"--" + name, usage})
		}
	}
	return append(list, word{"--help", "show what the command does, with examples"})
}
