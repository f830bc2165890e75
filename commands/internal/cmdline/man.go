package cmdline

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/buildinfo"
)

// manPage is cupel.1, from the command tree, the exit codes and the topics below: it
// says what the help says.
func manPage(app *cli.App) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH CUPEL 1 \"\" \"cupel %s\" \"User Commands\"\n.SH NAME\n%s \\- %s\n", buildinfo.Version, app.Name, roff(app.Usage))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n.I COMMAND\n[\\fIFLAGS\\fR] [\\fIOPERANDS\\fR]\n", app.Name)
	b.WriteString(".SH DESCRIPTION\n")
	for i, paragraph := range strings.Split(appDescription, "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		b.WriteString(filled(paragraph))
	}
	b.WriteString(".SH COMMANDS\n")
	for _, cmd := range Leaves("", app.Commands) {
		manCommand(&b, app.Name+" "+cmd.Name, cmd.Command)
	}
	b.WriteString(".SH EXIT STATUS\n")
	for _, row := range exitTable {
		fmt.Fprintf(&b, ".TP\n.B %d\n%s", row.code, filled(row.meaning))
	}
	b.WriteString(".SH ENVIRONMENT\n")
	for _, v := range environment {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s", v.name, filled(v.meaning))
	}
	b.WriteString(".SH EXAMPLES\n")
	for _, example := range appExamples {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s", roff(example.call), filled(example.does))
	}
	b.WriteString(".SH SEE ALSO\n" + filled("The documents on formats and commands are topics of the help: `cupel help` lists them. They are published at "+buildinfo.Site+", with a page for each rule."))
	return b.String()
}

// environment are the variables that cupel reads.
var environment = []struct{ name, meaning string }{
	{"NO_COLOR", "when not empty: no colour, unless --color always"},
	{"FORCE_COLOR, CLICOLOR_FORCE", "when not empty, 0 or false: colour also where the output is no terminal"},
	{"TERM", "\"dumb\": no colour, and no links"},
	{"FORCE_HYPERLINK", "when not empty: rules lead to their pages (OSC 8) wherever the output goes; 0 or false: nowhere. Else they do on terminals that are known for it, with colour"},
	{"CI", "when not empty: no progress line, and no links"},
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

// filled is text that a viewer lays out anew, in lines of a source's usual length.
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

// roff escapes text for a manual page. What is not ASCII has escapes that every viewer knows.
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
