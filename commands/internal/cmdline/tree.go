package cmdline

import (
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// The command tree as used by help, manual pages and completion.

// Group returns a command that only contains others, like `cupel evidence`.
func Group(name, usage string, sub ...*cli.Command) *cli.Command {
	return &cli.Command{Name: name, Usage: usage, Subcommands: sub, Hidden: len(sub) == 0}
}

// Leaf is a command with its full name.
type Leaf struct {
	Name string
	*cli.Command
}

// Leaves returns the visible commands that run, in the order of the tree.
func Leaves(parent string, list []*cli.Command) (found []Leaf) {
	for _, cmd := range list {
		name := strings.TrimSpace(parent + " " + cmd.Name)
		switch {
		case cmd.Hidden:
		case len(cmd.Subcommands) > 0:
			found = append(found, Leaves(name, cmd.Subcommands)...)
		default:
			found = append(found, Leaf{name, cmd})
		}
	}
	return found
}

// everyCommand returns the visible commands, including groups.
func everyCommand(parent string, list []*cli.Command) (found []Leaf) {
	for _, cmd := range list {
		if cmd.Hidden {
			continue
		}
		name := strings.TrimSpace(parent + " " + cmd.Name)
		found = append(append(found, Leaf{name, cmd}), everyCommand(name, cmd.Subcommands)...)
	}
	return found
}

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

type flagGroup struct {
	title string
	flags []cli.Flag
}

// flagGroups returns the flags by category, the command's own category first.
func flagGroups(flags []cli.Flag) []flagGroup {
	groups := []flagGroup{{title: "Flags"}}
	for _, f := range flags {
		title := "Flags"
		if c, ok := f.(cli.CategorizableFlag); ok && c.GetCategory() != "" {
			title = c.GetCategory() + " flags"
		}
		i := slices.IndexFunc(groups, func(g flagGroup) bool { return g.title == title })
		if i < 0 {
			i = len(groups)
			groups = append(groups, flagGroup{title: title})
		}
		groups[i].flags = append(groups[i].flags, f)
	}
	return slices.DeleteFunc(groups, func(g flagGroup) bool { return len(g.flags) == 0 })
}

// DescribeFlag returns a flag's names with the name of its value, and its usage with the default.
func DescribeFlag(f cli.Flag) (names, usage string) {
	names, usage = NameFlag(f)
	if d, ok := f.(cli.DocGenerationFlag); ok && d.TakesValue() && !strings.Contains(usage, "(default: ") {
		if value := d.GetValue(); value != "" && value != "0" && value != "0s" && value != "[]" {
			usage += " (default: " + value + ")"
		}
	}
	return names, usage
}

// NameFlag returns a flag's names with the name of its value, and its usage. The usage has the name in backquotes;
// if it starts with the name and a colon, they are removed.
func NameFlag(f cli.Flag) (names, usage string) {
	names = "    --" + f.Names()[0]
	for _, alias := range f.Names()[1:] {
		if len(alias) == 1 {
			names = "-" + alias + ", --" + f.Names()[0]
		}
	}
	d, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return names, ""
	}
	before, rest, quoted := strings.Cut(d.GetUsage(), "`")
	word, after, _ := strings.Cut(rest, "`")
	after = strings.ReplaceAll(after, "`", "")
	switch {
	case !quoted && d.TakesValue():
		return names + "=VALUE", d.GetUsage()
	case !quoted:
		return names, d.GetUsage()
	case before == "" && strings.HasPrefix(after, ": "):
		return names + "=" + word, after[len(": "):]
	}
	return names + "=" + word, before + word + after
}

// QuietLibrary disables the library's help, printing and exits. parent is the parent's full name.
func QuietLibrary(parent string, list []*cli.Command) {
	cli.OsExiter = func(int) {}
	cli.ErrWriter = io.Discard
	for _, cmd := range list {
		cmd.HideHelp = true
		cmd.HelpName = parent + " " + cmd.Name
		QuietLibrary(cmd.HelpName, cmd.Subcommands)
	}
}
