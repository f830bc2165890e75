package cmdline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/buildinfo"
)

// manGroups returns the groups with separate manual pages: cupel-trace.1 is that of `cupel trace`.
func manGroups(app *cli.App) (groups []*cli.Command) {
	for _, cmd := range app.Commands {
		if len(commandNames(cmd.Subcommands)) > 1 {
			groups = append(groups, cmd)
		}
	}
	return groups
}

// manPage returns cupel.1: the program and the commands without separate pages.
func manPage(app *cli.App) string {
	var b strings.Builder
	manHeader(&b, app.Name, app.Usage)
	fmt.Fprintf(&b, ".B %s\n.I COMMAND\n[\\fIFLAGS\\fR] [\\fIPATH\\fR...]\n.SH DESCRIPTION\n", app.Name)
	for i, paragraph := range strings.Split(appDescription, "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		b.WriteString(filled(paragraph))
	}
	b.WriteString(".SH COMMANDS\n")
	groups, pages := manGroups(app), ""
	for _, cmd := range groups {
		page := fmt.Sprintf("%s-%s(1)", app.Name, cmd.Name)
		fmt.Fprintf(&b, ".TP\n.B %s %s\n%s", app.Name, cmd.Name, filled(cmd.Usage+"; see "+page+"."))
		pages += page + ", "
	}
	for _, cmd := range app.Commands {
		if !slices.Contains(groups, cmd) {
			for _, leaf := range Leaves("", []*cli.Command{cmd}) {
				manCommand(&b, app.Name+" "+leaf.Name, leaf.Command)
			}
		}
	}
	manExit(&b)
	b.WriteString(".SH ENVIRONMENT\n")
	for _, v := range environment {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s", v.name, filled(v.meaning))
	}
	b.WriteString(".SH EXAMPLES\n")
	for _, example := range appExamples {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s", roff(example.call), filled(example.does))
	}
	b.WriteString(".SH SEE ALSO\n" + filled(strings.TrimSuffix(pages, ", ")+". `cupel help topics` lists the documents; they are also at "+buildinfo.Site+", with a page for each rule."))
	return b.String()
}

func groupPage(app *cli.App, group *cli.Command) string {
	var b strings.Builder
	manHeader(&b, app.Name+"-"+group.Name, group.Usage)
	fmt.Fprintf(&b, ".B %s %s\n.I COMMAND\n[\\fIFLAGS\\fR] [\\fIPATH\\fR...]\n.SH COMMANDS\n", app.Name, group.Name)
	for _, leaf := range Leaves(group.Name, group.Subcommands) {
		manCommand(&b, app.Name+" "+leaf.Name, leaf.Command)
	}
	manExit(&b)
	b.WriteString(".SH SEE ALSO\n" + filled(app.Name+"(1)"))
	return b.String()
}

func manHeader(b *strings.Builder, name, usage string) {
	fmt.Fprintf(b, ".TH %s 1 \"\" \"cupel %s\" \"User Commands\"\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n",
		strings.ToUpper(roff(name)), buildinfo.Version, roff(name), roff(usage))
}

func manExit(b *strings.Builder) {
	b.WriteString(".SH EXIT STATUS\n")
	for _, row := range exitTable {
		fmt.Fprintf(b, ".TP\n.B %d\n%s", row.code, filled(row.meaning))
	}
}

// environment are the variables that cupel reads.
var environment = []struct{ name, meaning string }{
	{"NO_COLOR", "if set: no color, unless --color always"},
	{"FORCE_COLOR, CLICOLOR_FORCE", "if set, and not 0 or false: color even if the output is not a terminal"},
	{"TERM", "\"dumb\": no color and no links"},
	{"FORCE_HYPERLINK", "if set: link rules to their pages (OSC 8) in every output; 0 or false: never. Default: on terminals that support links, with color"},
	{"CI", "if set: no progress line and no links"},
}

func manCommand(b *strings.Builder, name string, cmd *cli.Command) {
	fmt.Fprintf(b, ".SS %s\n%s", roff(usageOf(name, cmd)), filled(cmd.Usage+"."))
	if cmd.Description != "" {
		b.WriteString(".PP\n" + filled(cmd.Description))
	}
	for _, group := range flagGroups(cmd.Flags) {
		for _, f := range group.flags {
			names, usage := DescribeFlag(f)
			fmt.Fprintf(b, ".TP\n.B %s\n%s", roff(strings.TrimSpace(names)), filled(usage))
		}
	}
	if cmd.UsageText != "" {
		fmt.Fprintf(b, ".PP\nExamples:\n.PP\n.nf\n.RS\n%s\n.RE\n.fi\n", roff(cmd.UsageText))
	}
}

// filled wraps text at a source's usual line length; viewers refill it.
func filled(text string) string {
	const width = 78
	var b strings.Builder
	for _, line := range wrap(roff(strings.Join(strings.Fields(text), " ")), width) {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			line = `\&` + line
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// roff escapes text for manual pages.
func roff(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r == '`':
			b.WriteString(`\(ga`)
		case r > '~':
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	lines := strings.Split(b.String(), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
