package cmdline

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

// PrintHelp writes the help of the command that the arguments lead to.
func (l *commandLine) PrintHelp(env Env) error {
	_, err := io.WriteString(env.Stdout, l.HelpText())
	return err
}

// HelpText is the help of the command that the arguments lead to.
func (l *commandLine) HelpText() string {
	var b strings.Builder
	if cmd := l.Command(); cmd != nil {
		writeCommandHelp(&b, l.App, l.name(), cmd)
	} else {
		writeAppHelp(&b, l.App)
	}
	return b.String()
}

func writeAppHelp(b *strings.Builder, app *cli.App) {
	fmt.Fprintf(b, "%s: %s\n\nUsage: %s COMMAND [FLAGS] [OPERANDS]\n", app.Name, app.Usage, app.Name)
	writeCommands(b, "", app.Commands)
	b.WriteString("\nExamples:\n")
	for _, example := range appExamples {
		fmt.Fprintf(b, "  %s\n", example.call)
	}
	writeTopics(b, app)
	fmt.Fprintf(b, "\n`%s help COMMAND` explains a command, `%s help TOPIC` prints a document.\n", app.Name, app.Name)
}

// writeTopics lists what help explains beside commands.
func writeTopics(b *strings.Builder, app *cli.App) {
	b.WriteString("\nTopics:\n")
	list, column := Topics(app), 0
	for _, t := range list {
		column = max(column, len(t.Name))
	}
	for _, t := range list {
		fmt.Fprintf(b, "  %-*s  %s\n", column, t.Name, t.Title)
	}
}

// appExamples are the first things to try.
var appExamples = []struct{ call, does string }{
	{"cupel check", "Find the records in the current folder, and check each by its kind."},
	{"cupel trace verify run/", "Say whether a trace is as it was written, and whether its claims rest on the bytes that they cite."},
	{"cupel evidence hash --check events.ndjson", "Compute the content hash of each event, and compare it with the one that the event records."},
	{"cupel explain hash.evidence", "Say what a rule checks and why, with an example that breaks it and one that does not."},
}

// appDescription says what the program is for.
const appDescription = `Cupel reads what agents and the tools around them leave behind, and says whether it holds: reasoning traces and session logs (trace), evidence events and bundles (evidence), OATF documents and the messages that they are about (oatf), and traces that a suite of assertions is evaluated on (attest).

Operands are files, folders, patterns and - for standard input. The answer goes to standard output, in the format that --format names; what goes wrong goes to standard error. The exit code is the same in every format. Nothing is sent anywhere, and no input is changed unless a flag says so.`

// writeCommands lists every command that runs, below the name of its parent.
func writeCommands(b *strings.Builder, parent string, list []*cli.Command) {
	b.WriteString("\nCommands:\n")
	shown, column := Leaves(parent, list), 0
	for _, cmd := range shown {
		column = max(column, len(cmd.Name))
	}
	for _, cmd := range shown {
		fmt.Fprintf(b, "  %-*s  %s\n", column, cmd.Name, cmd.Usage)
	}
}

func writeCommandHelp(b *strings.Builder, app *cli.App, name string, cmd *cli.Command) {
	full := app.Name + " " + name
	fmt.Fprintf(b, "%s: %s\n\nUsage: %s\n", full, cmd.Usage, usageOf(full, cmd))
	if len(cmd.Subcommands) > 0 {
		writeCommands(b, name, cmd.Subcommands)
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
	if more := ReadMore(app, name); len(more) > 0 {
		fmt.Fprintf(b, "More: `%s help %s`.\n", app.Name, strings.Join(more, "`, `"+app.Name+" help "))
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
			names, usage := DescribeFlag(f)
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
