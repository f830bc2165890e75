package commands

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

// manPage is cupel.1, from the command tree, the exit codes and the topics below: it
// says what the help says.
func manPage(app *cli.App) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH CUPEL 1\n.SH NAME\n%s \\- %s\n", app.Name, roff(app.Usage))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n.I COMMAND\n[\\fIFLAGS\\fR] [\\fIOPERANDS\\fR]\n", app.Name)
	b.WriteString(".SH COMMANDS\n")
	for _, cmd := range leaves("", app.Commands) {
		manCommand(&b, app.Name+" "+cmd.name, cmd.Command)
	}
	b.WriteString(".SH EXIT STATUS\n")
	for _, row := range exitTable {
		fmt.Fprintf(&b, ".TP\n.B %d\n%s\n", row.code, roff(row.meaning))
	}
	b.WriteString(".SH ENVIRONMENT\n")
	for _, v := range environment {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", v.name, roff(v.meaning))
	}
	return b.String()
}

// environment are the variables that cupel reads.
var environment = []struct{ name, meaning string }{
	{"NO_COLOR", "when not empty: no colour, unless --color always"},
	{"FORCE_COLOR, CLICOLOR_FORCE", "when not empty, 0 or false: colour also where the output is no terminal"},
	{"TERM", "\"dumb\": no colour"},
	{"CI", "when not empty: no progress line"},
}

func manCommand(b *strings.Builder, name string, cmd *cli.Command) {
	fmt.Fprintf(b, ".SS %s\n%s.\n", roff(usageOf(name, cmd)), roff(cmd.Usage))
	for _, group := range flagGroups(cmd.Flags) {
		for _, f := range group.flags {
			names, usage := describeFlag(f)
			fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(names)), roff(usage))
		}
	}
	if cmd.UsageText != "" {
		fmt.Fprintf(b, ".PP\nExamples:\n.PP\n.nf\n.RS\n%s\n.RE\n.fi\n", roff(cmd.UsageText))
	}
}

// roff escapes text for a manual page.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
