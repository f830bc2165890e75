package commands

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// The help of a command comes from its row in the command tree:
//
//	Usage       one sentence
//	ArgsUsage   its operands, "PATH…"
//	UsageText   its examples, one per line
//	Flags       each with a Category and a usage whose `WORD` names the value

// helpCommand prints what -h prints, and the topics.
func helpCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "help",
		Usage:     "print the help of cupel, of a command or of a topic",
		ArgsUsage: "[COMMAND…|TOPIC]",
		UsageText: "cupel help\ncupel help evidence hash\ncupel help exit-codes",
		Action: func(c *cli.Context) error {
			words := c.Args().Slice()
			if len(words) == 1 && slices.Contains(helpTopics(), words[0]) {
				_, err := io.WriteString(env.Stdout, exitCodesText())
				return err
			}
			line := readArgs(newApp(env), words)
			if line.err != nil {
				return line.err
			}
			return line.printHelp(env)
		},
	}
}

// helpTopics are what help explains beside commands.
func helpTopics() []string { return []string{"exit-codes"} }

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
	writeCommands(b, app.Commands)
	fmt.Fprintf(b, "\n`%s help COMMAND` explains a command, `%s help exit-codes` the exit codes.\n", app.Name, app.Name)
}

func writeCommands(b *strings.Builder, list []*cli.Command) {
	b.WriteString("\nCommands:\n")
	for _, cmd := range list {
		if cmd.Hidden {
			continue
		}
		if len(cmd.Subcommands) == 0 {
			fmt.Fprintf(b, "  %-18s %s\n", cmd.Name, cmd.Usage)
		}
		for _, sub := range cmd.Subcommands {
			fmt.Fprintf(b, "  %-18s %s\n", cmd.Name+" "+sub.Name, sub.Usage)
		}
	}
}

func writeCommandHelp(b *strings.Builder, name string, cmd *cli.Command) {
	fmt.Fprintf(b, "%s: %s\n\nUsage: %s\n", name, cmd.Usage, usageOf(name, cmd))
	if len(cmd.Subcommands) > 0 {
		writeCommands(b, cmd.Subcommands)
	}
	if cmd.UsageText != "" {
		b.WriteString("\nExamples:\n")
		for line := range strings.Lines(cmd.UsageText) {
			fmt.Fprintf(b, "  %s\n", strings.TrimRight(line, "\n"))
		}
	}
	writeFlags(b, cmd.Flags)
	b.WriteString("\nExit codes: 0 the answer is good, 1 the answer is no, 2 could not answer, 130 interrupted.\n")
}

// usageOf is the one-line usage of a command.
func usageOf(name string, cmd *cli.Command) string {
	parts := []string{name}
	if len(cmd.Subcommands) > 0 {
		parts = append(parts, "COMMAND")
	}
	if len(cmd.Flags) > 0 {
		parts = append(parts, "[FLAGS]")
	}
	if cmd.ArgsUsage != "" {
		parts = append(parts, cmd.ArgsUsage)
	}
	return strings.Join(parts, " ")
}

// writeFlags lists the flags by category, in the order of the table.
func writeFlags(b *strings.Builder, flags []cli.Flag) {
	var order []string
	groups := map[string][]cli.Flag{}
	for _, f := range flags {
		category := categoryOf(f)
		if groups[category] == nil {
			order = append(order, category)
		}
		groups[category] = append(groups[category], f)
	}
	for _, category := range order {
		fmt.Fprintf(b, "\n%s flags:\n", category)
		for _, f := range groups[category] {
			names, usage := describeFlag(f)
			fmt.Fprintf(b, "  %-30s %s\n", names, usage)
		}
	}
}

func categoryOf(f cli.Flag) string {
	if c, ok := f.(cli.CategorizableFlag); ok && c.GetCategory() != "" {
		return c.GetCategory()
	}
	return "Command"
}

// describeFlag gives a flag's names with the word for its value, and what it does.
func describeFlag(f cli.Flag) (names, usage string) {
	long, short := "--"+f.Names()[0], "    "
	for _, alias := range f.Names()[1:] {
		if len(alias) == 1 {
			short = "-" + alias + ", "
		}
	}
	if d, ok := f.(cli.DocGenerationFlag); ok {
		usage = d.GetUsage()
		if before, rest, found := strings.Cut(usage, "`"); found {
			word, after, _ := strings.Cut(rest, "`")
			usage = before + strings.TrimPrefix(strings.TrimPrefix(after, ":"), " ")
			if before != "" {
				usage = before + word + after
			}
			long += "=" + word
		} else if d.TakesValue() {
			long += "=VALUE"
		}
	}
	return short + long, usage
}
