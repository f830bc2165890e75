package commands

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

// The help of a command comes from its row in the command tree:
//
//	Usage       one sentence
//	ArgsUsage   its operands, "PATH…"
//	UsageText   its examples, one per line
//	Flags       each with a Category and a usage whose `WORD` names the value

// helpCommand prints what -h prints, and the topics. tree makes the tree that it is in.
func helpCommand(env Env, tree func() *cli.App) *cli.Command {
	return &cli.Command{
		Name:      "help",
		Usage:     "print the help of cupel, of a command or of a topic",
		ArgsUsage: "[COMMAND…|TOPIC]",
		UsageText: "cupel help\ncupel help evidence hash\ncupel help exit-codes",
		Action: func(c *cli.Context) error {
			words := c.Args().Slice()
			app := tree()
			for _, topic := range helpTopics {
				if topic.name == strings.Join(words, " ") {
					_, err := io.WriteString(env.Stdout, topic.text(app))
					return err
				}
			}
			line := readArgs(app, words)
			if line.err != nil {
				return line.err
			}
			return line.printHelp(env)
		},
	}
}

// helpTopics are what help explains beside commands.
var helpTopics = [...]struct {
	name string
	text func(*cli.App) string
}{
	{"exit-codes", func(*cli.App) string { return exitCodesText() }},
	{"man", manPage},
}

// printHelp writes the help of the command that the arguments lead to.
func (l *commandLine) printHelp(env Env) error {
	var b strings.Builder
	if cmd := l.command(); cmd != nil {
		writeCommandHelp(&b, l.app.Name+" "+l.name(), cmd)
	} else {
		writeAppHelp(&b, l.app)
	}
	_, err := io.WriteString(env.Stdout, b.String())
	return err
}

func writeAppHelp(b *strings.Builder, app *cli.App) {
	fmt.Fprintf(b, "%s: %s\n\nUsage: %s COMMAND [FLAGS] [OPERANDS]\n", app.Name, app.Usage, app.Name)
	writeCommands(b, "", app.Commands)
	b.WriteString("\nExamples:\n")
	for _, example := range appExamples {
		fmt.Fprintf(b, "  %s\n", example)
	}
	fmt.Fprintf(b, "\n`%s help COMMAND` explains a command, `%s help exit-codes` the exit codes.\n", app.Name, app.Name)
}

// appExamples are the first things to try.
var appExamples = []string{
	"cupel check",
	"cupel trace verify run/",
	"cupel evidence hash --check events.ndjson",
	"cupel explain hash.evidence",
}

// writeCommands lists every command that runs, below the name of its parent.
func writeCommands(b *strings.Builder, parent string, list []*cli.Command) {
	b.WriteString("\nCommands:\n")
	shown, column := leaves(parent, list), 0
	for _, cmd := range shown {
		column = max(column, len(cmd.name))
	}
	for _, cmd := range shown {
		fmt.Fprintf(b, "  %-*s  %s\n", column, cmd.name, cmd.Usage)
	}
}

func writeCommandHelp(b *strings.Builder, name string, cmd *cli.Command) {
	fmt.Fprintf(b, "%s: %s\n\nUsage: %s\n", name, cmd.Usage, usageOf(name, cmd))
	if len(cmd.Subcommands) > 0 {
		writeCommands(b, strings.TrimPrefix(name, "cupel "), cmd.Subcommands)
	}
	if cmd.UsageText != "" {
		b.WriteString("\nExamples:\n")
		for line := range strings.Lines(cmd.UsageText) {
			fmt.Fprintf(b, "  %s\n", strings.TrimRight(line, "\n"))
		}
	}
	writeFlags(b, cmd.Flags)
	if len(cmd.Subcommands) == 0 {
		b.WriteString("\nExit codes: 0 the answer is good, 1 the answer is no, 2 could not answer, 130 interrupted.\n")
	}
}

const (
	flagColumn = 30 // where the text about a flag begins
	helpWidth  = 96 // where it is wrapped
)

func writeFlags(b *strings.Builder, flags []cli.Flag) {
	for _, group := range flagGroups(flags) {
		fmt.Fprintf(b, "\n%s:\n", group.title)
		for _, f := range group.flags {
			names, usage := describeFlag(f)
			lines := wrap(usage, helpWidth-flagColumn)
			if len(names)+2 >= flagColumn {
				fmt.Fprintf(b, "  %s\n", names)
				names = ""
			}
			for _, line := range lines {
				fmt.Fprintf(b, "  %-*s%s\n", flagColumn-2, names, line)
				names = ""
			}
		}
	}
}

// wrap cuts text into lines of at most width bytes where words allow it.
func wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}
