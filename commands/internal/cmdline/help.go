package cmdline

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"
)

// The help of a command is its row in the command tree:
//
//	Usage        one sentence
//	ArgsUsage    its operands, "PATH…"
//	UsageText    its examples, one per line, the most useful ones first
//	Description  the paragraphs of the manual page, also part of --help-all
//	Flags        each with a Category and a usage whose `WORD` names the value
//
// -h shows two examples and the common flags; --help-all shows everything.

const (
	maxShortFlags    = 15 // a command with more flags has a short help with the common ones
	maxShortExamples = 2
	flagColumn       = 30 // where the text about a flag begins
	helpWidth        = 80 // where it is wrapped
)

// commonFlags are common flags of every command that has them.
var commonFlags = []string{"format", "quiet", "fail-on", "select", "ignore"}

// PrintHelp writes the help of the command that the arguments lead to.
func (l *commandLine) PrintHelp(env Env) error {
	_, err := io.WriteString(env.Stdout, l.HelpText(l.HelpAll))
	return err
}

// HelpText returns the help of the command that the arguments lead to, with every flag if all is true.
func (l *commandLine) HelpText(all bool) string {
	var b strings.Builder
	switch cmd := l.Command(); {
	case cmd == nil:
		writeAppHelp(&b, l.App)
	case len(cmd.Subcommands) > 0:
		writeGroupHelp(&b, l.App, l.name(), cmd)
	default:
		writeCommandHelp(&b, l.App, l.name(), cmd, all)
	}
	return b.String()
}

func writeAppHelp(b *strings.Builder, app *cli.App) {
	fmt.Fprintf(b, "%s: %s\nUsage: %s COMMAND [FLAGS] [PATH…]\n", app.Name, app.Usage, app.Name)
	for _, section := range SectionsOf(app) {
		fmt.Fprintf(b, "\n%s\n", section.Title)
		for _, row := range section.Rows {
			text := row.Title
			if cmd := app.Command(row.Name); cmd != nil && len(cmd.Subcommands) > 0 && text == "" {
				text = cmd.Usage + ": " + strings.Join(commandNames(cmd.Subcommands), ", ")
			}
			writeRow(b, "  "+row.Name, 14, text)
		}
	}
	fmt.Fprintf(b, "\nExit codes: 0 no problems, 1 problems, 2 not checked. Help: -h, --help-all.\n")
	fmt.Fprintf(b, "Documents: `%s help topics`. One command: `%s help trace verify`.\n", app.Name, app.Name)
}

func writeRow(b *strings.Builder, name string, column int, text string) {
	if utf8.RuneCountInString(name)+1 >= column {
		fmt.Fprintf(b, "%s\n", name)
		name = ""
	}
	for _, line := range wrap(text, helpWidth-column) {
		fmt.Fprintf(b, "%-*s%s\n", column, name, line)
		name = ""
	}
}

// appExamples are the first commands to try.
var appExamples = []struct{ call, does string }{
	{"cupel check", "Detect and check every supported file in the current folder."},
	{"cupel trace verify run/", "Verify a trace: its hashes, and the evidence that its claims cite."},
	{"cupel evidence hash --check events.ndjson", "Compute the content hash of each event, and compare it with the recorded one."},
	{"cupel explain hash.evidence", "Explain a rule, with a bad and a good example."},
}

// appDescription describes the program.
const appDescription = `cupel checks the files that agents and their tools produce: reasoning traces, session logs and transcripts (trace), evidence events and bundles (evidence), OATF attack documents and captured messages (oatf), and test suites for agent traces (attest).

Operands are files, folders, patterns, or - for standard input. Reports go to standard output, in the format of --format. Messages go to standard error. The exit code is the same in every format. cupel sends nothing anywhere and changes no input unless a flag asks for it.`

func writeGroupHelp(b *strings.Builder, app *cli.App, name string, cmd *cli.Command) {
	full := app.Name + " " + name
	fmt.Fprintf(b, "%s: %s\n\nUsage: %s\n\nCommands:\n", full, cmd.Usage, usageOf(full, cmd))
	shown, column := Leaves(name, cmd.Subcommands), 0
	for _, leaf := range shown {
		column = max(column, len(leaf.Name)+4)
	}
	for _, leaf := range shown {
		writeRow(b, "  "+leaf.Name, column, leaf.Usage)
	}
}

func writeCommandHelp(b *strings.Builder, app *cli.App, name string, cmd *cli.Command, all bool) {
	full := app.Name + " " + name
	fmt.Fprintf(b, "%s: %s\n\nUsage: %s\n", full, cmd.Usage, usageOf(full, cmd))
	if cmd.UsageText != "" {
		b.WriteString("\nExamples:\n")
		examples := strings.Split(cmd.UsageText, "\n")
		if !all {
			examples = examples[:min(len(examples), maxShortExamples)]
		}
		for _, line := range examples {
			fmt.Fprintf(b, "  %s\n", line)
		}
	}
	if common := CommonFlags(app, name, cmd); !all && common != nil {
		b.WriteString("\nCommon flags:\n")
		writeFlags(b, common)
		fmt.Fprintf(b, "\n%d more flags: `%s --help-all`.\n", len(cmd.Flags)-len(common), full)
	} else {
		if all {
			writeDescription(b, cmd.Description)
		}
		for _, group := range flagGroups(cmd.Flags) {
			fmt.Fprintf(b, "\n%s:\n", group.title)
			writeFlags(b, group.flags)
		}
	}
	b.WriteString("\nExit codes: 0 no problems, 1 problems found, 2 could not check, 130 interrupted.\n")
	if more := ReadMore(app, name); len(more) > 0 {
		fmt.Fprintf(b, "More: `%s help %s`.\n", app.Name, strings.Join(more, "`, `"+app.Name+" help "))
	}
}

// CommonFlags returns the flags of a command's short help in order, nil for all.
func CommonFlags(app *cli.App, name string, cmd *cli.Command) (common []cli.Flag) {
	if len(cmd.Flags) <= maxShortFlags {
		return nil
	}
	for _, f := range cmd.Flags {
		if flag := f.Names()[0]; slices.Contains(commonFlags, flag) || slices.Contains(AboutOf(app, name).Common, flag) {
			common = append(common, f)
		}
	}
	return common
}

func writeDescription(b *strings.Builder, description string) {
	for paragraph := range strings.SplitSeq(description, "\n\n") {
		if paragraph != "" {
			fmt.Fprintf(b, "\n%s\n", strings.Join(wrap(paragraph, helpWidth), "\n"))
		}
	}
}

func writeFlags(b *strings.Builder, flags []cli.Flag) {
	for _, f := range flags {
		names, usage := DescribeFlag(f)
		writeRow(b, "  "+names, flagColumn, usage)
	}
}

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
