package commands

import (
	_ "embed"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
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
				return &usageError{"name one shell", "known: " + strings.Join(shells(), ", ")}
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

// completeCommand is what the scripts call. Files are the shell's business: where an
// operand may stand it prints nothing. tree makes the tree that it is in.
func completeCommand(env Env, tree func() *cli.App) *cli.Command {
	return &cli.Command{
		Name: "__complete", Hidden: true, ArgsUsage: "WORD…", Usage: "list what may follow, for the completion scripts",
		Action: func(c *cli.Context) error {
			for _, word := range candidates(tree(), c.Args().Slice()) {
				if _, err := io.WriteString(env.Stdout, word+"\n"); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// candidates lists what the last word can become after the words before it.
func candidates(app *cli.App, words []string) []string {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	line := readArgs(app, words[:len(words)-1])
	var list []string
	switch {
	case strings.HasPrefix(last, "-"):
		for _, name := range flagNames(line.command()) {
			list = append(list, "--"+name)
		}
	case len(line.operands) == 0 && len(line.subcommands()) > 0:
		list = commandNames(line.subcommands())
	case line.name() == "help":
		list = append(topicNames(app), candidates(app, append(slices.Clone(line.operands), last))...)
	case line.name() == "explain":
		list = ruleIDs(allRules())
	case line.name() == "schema" && len(line.operands) == 0:
		list = schemaNames()
	case line.name() == "completion":
		list = shells()
	}
	return slices.DeleteFunc(list, func(s string) bool { return !strings.HasPrefix(s, last) })
}
