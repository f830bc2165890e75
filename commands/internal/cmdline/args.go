package cmdline

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/suggest"
)

// commandLine is a parsed command line. The library stops at the first operand, so arguments are parsed here with
// the same command tree and passed to it in the order that it supports: commands, flags as --name=value, "--",
// operands.
type commandLine struct {
	App      *cli.App
	Path     []*cli.Command // from the first subcommand to the one that runs
	Flags    []string
	Operands []string
	Help     bool          // -h, --help or --help-all was given
	HelpAll  bool          // it was --help-all
	ended    bool          // there was a "--"
	open     cli.Flag      // the last word, when it is a flag that lacks its value
	set      *flag.FlagSet // the flags' values, for a report about a mistake
	Err      error         // the first mistake
}

// ReadArgs parses the arguments of a run, without the program's name. Flags can follow their command in any order,
// each once. Values of repeatable flags are collected; of a repeated switch the last one counts. "--" ends the
// flags. Operands that start with "-", except "-" itself, must follow "--".
func ReadArgs(app *cli.App, args []string) commandLine {
	l := commandLine{App: app}
	l.enter(nil)
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			l.ended = true
			l.Operands = append(l.Operands, args...)
			return l
		case arg == "-" || !strings.HasPrefix(arg, "-"):
			l.word(arg)
		default:
			args = l.flag(arg, args)
		}
	}
	return l
}

// Command returns the command parsed so far, or nil at the root.
func (l *commandLine) Command() *cli.Command {
	if len(l.Path) == 0 {
		return nil
	}
	return l.Path[len(l.Path)-1]
}

func (l *commandLine) subcommands() []*cli.Command {
	if cmd := l.Command(); cmd != nil {
		return cmd.Subcommands
	}
	return l.App.Commands
}

func (l *commandLine) enter(cmd *cli.Command) {
	l.set = flag.NewFlagSet("", flag.ContinueOnError)
	l.set.SetOutput(io.Discard)
	if cmd == nil {
		return
	}
	l.Path = append(l.Path, cmd)
	for _, f := range cmd.Flags {
		if err := f.Apply(l.set); err != nil {
			l.mistake(err.Error(), "")
		}
	}
}

// word processes a subcommand's name or an operand.
func (l *commandLine) word(arg string) {
	known := l.subcommands()
	if len(known) == 0 || l.Err != nil {
		l.Operands = append(l.Operands, arg)
		return
	}
	for _, cmd := range known {
		if cmd.HasName(arg) {
			l.enter(cmd)
			return
		}
	}
	hint := l.withFile(arg)
	if hint == "" {
		hint = elsewhere(l.App, arg)
	}
	if hint == "" {
		hint = suggest.Hint(arg, commandNames(known))
	}
	if hint == "" {
		hint = l.listHint()
	}
	l.mistake(fmt.Sprintf("unknown command %q", strings.TrimSpace(l.name()+" "+arg)), hint)
}

// withFile suggests a command for a file or folder that was given instead of a command.
func (l *commandLine) withFile(arg string) string {
	if _, err := door.Stat(arg); err != nil && !strings.ContainsRune(arg, '/') {
		return ""
	}
	call := "check"
	if first := l.Command(); first != nil {
		call = ""
		for _, leaf := range Leaves(l.name(), first.Subcommands) {
			if word := leaf.Command.Name; call == "" && leaf.ArgsUsage != "" || word == "verify" || word == "validate" {
				call = leaf.Name
			}
		}
	}
	if call == "" {
		return ""
	}
	return fmt.Sprintf("did you mean `%s %s %s`?", l.App.Name, call, quoted(arg))
}

func quoted(arg string) string {
	if strings.ContainsFunc(arg, func(r rune) bool {
		return !strings.ContainsRune("./_-", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		return "'" + strings.ReplaceAll(arg, "'", `'\\''`) + "'"
	}
	return arg
}

// elsewhere lists the commands in the whole tree whose last word is the given one.
func elsewhere(app *cli.App, word string) string {
	var calls []string
	for _, cmd := range everyCommand("", app.Commands) {
		if cmd.HasName(word) {
			calls = append(calls, "`"+app.Name+" "+cmd.Name+"`")
		}
	}
	if len(calls) == 0 {
		return ""
	}
	last := len(calls) - 1
	if last == 0 {
		return "did you mean " + calls[0] + "?"
	}
	return "did you mean " + strings.Join(calls[:last], ", ") + " or " + calls[last] + "?"
}

// flag processes a flag with its value and returns the remaining arguments.
func (l *commandLine) flag(arg string, rest []string) []string {
	name, value, given := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
	if name == "h" || name == "help" || name == "help-all" {
		l.Help, l.HelpAll = true, l.HelpAll || name == "help-all"
		return rest
	}
	f := l.lookup(name)
	switch {
	case (name == "version" || name == "v") && l.Command() == nil:
		l.word("version") // what most programs understand
		return rest
	case f == nil:
		l.unknownFlag(arg, name)
		return rest
	case !given && IsSwitch(f):
		value = "true"
	case !given && len(rest) == 0:
		l.open = f
		l.mistake(fmt.Sprintf("flag %s needs a value", arg), l.helpHint())
		return rest
	case !given:
		value, rest = rest[0], rest[1:]
	}
	name = f.Names()[0]
	if !IsRepeatable(f) && l.given(name) {
		if !IsSwitch(f) {
			l.repeatedFlag(f)
			return rest
		}
		l.Flags = slices.DeleteFunc(l.Flags, func(earlier string) bool { return strings.HasPrefix(earlier, "--"+name+"=") })
	}
	if err := l.set.Set(name, value); err != nil {
		l.wrongValue(f, name, value)
		return rest
	}
	l.Flags = append(l.Flags, "--"+name+"="+value)
	return rest
}

// wrongValue is the error for a value of the wrong type.
func (l *commandLine) wrongValue(f cli.Flag, name, value string) {
	expected := "a whole number"
	switch f := f.(type) {
	case *NumberFlag:
		l.fail(BadValue(name, value, WordNames(f.known.Words())))
		return
	case *cli.BoolFlag:
		expected = "true or false"
	case *cli.Float64Flag:
		expected = "a number"
	case *cli.DurationFlag:
		expected = "a time such as 30s or 5m"
	}
	l.mistake(fmt.Sprintf("--%s is %q, expected %s", name, value, expected), l.helpHint())
}

func (l *commandLine) lookup(name string) cli.Flag {
	cmd := l.Command()
	if cmd == nil {
		return nil
	}
	for _, f := range cmd.Flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// given reports whether the flag of that long name was read before.
func (l *commandLine) given(name string) bool {
	return slices.ContainsFunc(l.Flags, func(earlier string) bool { return strings.HasPrefix(earlier, "--"+name+"=") })
}

// repeatedFlag returns an error for a second value of a flag that is not repeatable, because either could be
// intended.
func (l *commandLine) repeatedFlag(f cli.Flag) {
	names := f.Names()
	hint := "give the flag once"
	if len(names) > 1 {
		hint += fmt.Sprintf("; -%s is short for it", names[1])
	}
	l.mistake(fmt.Sprintf("flag --%s is given twice", names[0]), hint)
}

func (l *commandLine) unknownFlag(arg, name string) {
	hint := l.helpHint() + "; an operand that starts with \"-\" goes after \"--\""
	if near := suggest.Nearest(name, FlagNames(l.Command())); near != "" {
		hint = fmt.Sprintf("did you mean --%s?", near)
	}
	arg, _, _ = strings.Cut(arg, "=")
	message := fmt.Sprintf("unknown flag %q", arg)
	if n := l.name(); n != "" {
		message += " for " + n
	}
	l.mistake(message, hint)
}

func (l *commandLine) mistake(message, hint string) { l.fail(&UsageError{message, hint}) }

// fail stores the first error; later ones can be consequences.
func (l *commandLine) fail(mistake error) {
	if l.Err == nil {
		l.Err = mistake
	}
}

// name returns the command's full name without the program's: "evidence hash".
func (l *commandLine) name() string {
	names := make([]string, len(l.Path))
	for i, cmd := range l.Path {
		names[i] = cmd.Name
	}
	return strings.Join(names, " ")
}

func (l *commandLine) helpCall() string {
	return strings.Join(strings.Fields(l.App.Name+" help "+l.name()), " ")
}

func (l *commandLine) helpHint() string { return fmt.Sprintf("`%s` shows the usage", l.helpCall()) }

// Run passes the arguments, or an error, to the library, so that reports in machine formats stay valid.
func (l *commandLine) Run(env Env) error {
	cmd := l.Command()
	l.refuseGroup()
	l.RefuseSurplus()
	l.refuseEmpty()
	if l.Err != nil {
		if cmd != nil && cmd.OnUsageError != nil {
			c, err := l.Context(env)
			if err != nil {
				return err
			}
			return cmd.OnUsageError(c, l.Err, true)
		}
		return l.Err
	}
	args := []string{l.App.Name}
	for _, c := range l.Path {
		args = append(args, c.Name)
	}
	args = append(append(append(args, l.Flags...), "--"), l.Operands...)
	return l.App.RunContext(env.Context, args)
}

func (l *commandLine) listHint() string { return fmt.Sprintf("`%s` lists the commands", l.helpCall()) }

// refuseGroup returns an error for a line without a command. The group's help is printed first.
func (l *commandLine) refuseGroup() {
	message := "no command given"
	switch cmd := l.Command(); {
	case cmd == nil:
	case len(cmd.Subcommands) > 0:
		message = fmt.Sprintf("no subcommand given after %q", l.name())
	default:
		return
	}
	if l.Err == nil && len(l.Operands) == 0 {
		l.Err = &noCommandError{UsageError{message, l.listHint()}, l.HelpText(false)}
	}
}

// noCommandError is the error for a missing command.
type noCommandError struct {
	UsageError
	help string
}

func (e *noCommandError) Unwrap() error { return &e.UsageError }

// Context returns the command's flags and operands.
func (l *commandLine) Context(env Env) (*cli.Context, error) {
	if err := l.set.Parse(append([]string{"--"}, l.Operands...)); err != nil {
		return nil, err
	}
	c := cli.NewContext(l.App, l.set, nil)
	c.Command, c.Context = l.Command(), env.Context
	return c, nil
}

// RefuseSurplus returns an error for operands of a command without operands.
func (l *commandLine) RefuseSurplus() {
	if cmd := l.Command(); cmd != nil && cmd.ArgsUsage == "" && len(l.Operands) > 0 {
		l.mistake(fmt.Sprintf("unexpected operand %q: %s takes none", l.Operands[0], l.name()), l.helpHint())
	}
}

// meansNoConfig reports whether a flag names cupel.yaml, where an empty value means none.
func (l *commandLine) meansNoConfig(name string) bool {
	return name == "--config" && l.lookup("force-exclude") != nil
}

// refuseEmpty returns an error for empty flag values and operands.
func (l *commandLine) refuseEmpty() {
	for _, f := range l.Flags {
		name, value, _ := strings.Cut(f, "=")
		if value == "" && !mayBeEmpty(l.App, l.name(), name) && !l.meansNoConfig(name) {
			l.mistake(name+" is empty", "leave the flag out, or give it a value; an unset variable is empty")
		}
	}
	if i := slices.Index(l.Operands, ""); i >= 0 && !mayBeEmpty(l.App, l.name(), "OPERAND") {
		l.mistake(fmt.Sprintf("operand %d is empty", i+1), "an unset variable in quotes is an empty operand")
	}
}

// IsSwitch reports whether a flag has no value.
func IsSwitch(f cli.Flag) bool {
	b, ok := f.(*cli.BoolFlag)
	return ok && b != nil
}

// IsRepeatable reports whether a flag collects the values of all its occurrences.
func IsRepeatable(f cli.Flag) bool {
	s, ok := f.(cli.DocGenerationSliceFlag)
	return ok && s.IsSliceFlag()
}

func commandNames(list []*cli.Command) []string {
	var names []string
	for _, cmd := range list {
		if !cmd.Hidden {
			names = append(names, cmd.Name)
		}
	}
	return names
}

// FlagNames returns the long names of a command's flags; of the root for nil.
func FlagNames(cmd *cli.Command) []string {
	names := []string{"help", "help-all"}
	if cmd == nil {
		return names
	}
	for _, f := range cmd.Flags {
		names = append(names, f.Names()[0])
	}
	return names
}
