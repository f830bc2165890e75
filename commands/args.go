package commands

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/suggest"
)

// commandLine is what the arguments say before anything runs. The library stops
// reading flags at the first operand and would take a later --strict for a file, so
// the arguments are read here, against the same command tree, and handed to it in
// the one order it understands: commands, flags as --name=value, "--", operands.
type commandLine struct {
	app      *cli.App
	path     []*cli.Command // from the first subcommand to the one that runs
	flags    []string
	operands []string
	help     bool          // -h or --help was among the flags
	ended    bool          // there was a "--"
	open     cli.Flag      // the last word, when it is a flag that lacks its value
	set      *flag.FlagSet // the flags' values, for a report about a mistake
	err      error         // the first mistake
}

// readArgs reads the arguments of a run (without the program's name). Flags may
// stand anywhere after the command they belong to, each once unless it is repeatable;
// "--" ends them. An operand that starts with "-", other than "-" itself, can only follow
// "--".
func readArgs(app *cli.App, args []string) commandLine {
	l := commandLine{app: app}
	l.enter(nil)
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			l.ended = true
			l.operands = append(l.operands, args...)
			return l
		case arg == "-" || !strings.HasPrefix(arg, "-"):
			l.word(arg)
		default:
			args = l.flag(arg, args)
		}
	}
	return l
}

// command is the command reached so far; nil at the root.
func (l *commandLine) command() *cli.Command {
	if len(l.path) == 0 {
		return nil
	}
	return l.path[len(l.path)-1]
}

// subcommands are the commands that may follow.
func (l *commandLine) subcommands() []*cli.Command {
	if cmd := l.command(); cmd != nil {
		return cmd.Subcommands
	}
	return l.app.Commands
}

// enter makes cmd the command whose flags are read.
func (l *commandLine) enter(cmd *cli.Command) {
	l.set = flag.NewFlagSet("", flag.ContinueOnError)
	l.set.SetOutput(io.Discard)
	if cmd == nil {
		return
	}
	l.path = append(l.path, cmd)
	for _, f := range cmd.Flags {
		if err := f.Apply(l.set); err != nil {
			l.mistake(err.Error(), "")
		}
	}
}

// word takes a subcommand's name or an operand.
func (l *commandLine) word(arg string) {
	known := l.subcommands()
	if len(known) == 0 || l.err != nil {
		l.operands = append(l.operands, arg)
		return
	}
	for _, cmd := range known {
		if cmd.HasName(arg) {
			l.enter(cmd)
			return
		}
	}
	hint := elsewhere(l.app, arg)
	if hint == "" {
		hint = suggest.Hint(arg, commandNames(known))
	}
	if hint == "" {
		hint = fmt.Sprintf("`%s` lists the commands", l.helpCall())
	}
	l.mistake(fmt.Sprintf("unknown command %q", strings.TrimSpace(l.name()+" "+arg)), hint)
}

// elsewhere names the commands of the whole tree whose last word is the one given: "lint" is that
// of several.
func elsewhere(app *cli.App, word string) string {
	var calls []string
	for _, cmd := range everyCommand("", app.Commands) {
		if cmd.HasName(word) {
			calls = append(calls, "`"+app.Name+" "+cmd.name+"`")
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

// flag takes one flag, with its value when it has one, and returns the arguments
// after it.
func (l *commandLine) flag(arg string, rest []string) []string {
	name, value, given := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
	if name == "h" || name == "help" {
		l.help = true
		return rest
	}
	f := l.lookup(name)
	switch {
	case name == "version" && l.command() == nil:
		l.word(name) // what most programs understand
		return rest
	case f == nil:
		l.unknownFlag(arg, name)
		return rest
	case !given && isSwitch(f):
		value = "true"
	case !given && len(rest) == 0:
		l.open = f
		l.mistake(fmt.Sprintf("flag %s needs a value", arg), l.helpHint())
		return rest
	case !given:
		value, rest = rest[0], rest[1:]
	}
	name = f.Names()[0]
	if !isRepeatable(f) && l.given(name) {
		l.repeatedFlag(f)
		return rest
	}
	if err := l.set.Set(name, value); err != nil {
		l.wrongValue(f, name, value)
		return rest
	}
	l.flags = append(l.flags, "--"+name+"="+value)
	return rest
}

// wrongValue is the mistake of giving a flag a value that is none of its kind.
func (l *commandLine) wrongValue(f cli.Flag, name, value string) {
	expected := "a whole number"
	switch f := f.(type) {
	case *numberFlag:
		l.fail(badValue(name, value, wordNames(f.known.words())))
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

// mayBeEmpty are the flags and operands that mean something without a value. Any other would be as if it
// were not there: `--anchor "$ANCHOR"` must not pass because a variable is not set.
var mayBeEmpty = map[string]bool{
	"attest serve --log-level": true, // the default: clients pass on what they were given
	"oatf try path OPERAND":    true, // the path of the message itself
	"__complete OPERAND":       true, // a word of which nothing is typed yet
}

func (l *commandLine) lookup(name string) cli.Flag {
	cmd := l.command()
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
	return slices.ContainsFunc(l.flags, func(earlier string) bool { return strings.HasPrefix(earlier, "--"+name+"=") })
}

// repeatedFlag refuses a second value of a flag that has one: which of the two was meant
// nobody knows, and to drop either would answer another question than the one asked.
func (l *commandLine) repeatedFlag(f cli.Flag) {
	names := f.Names()
	hint := "give it once"
	if len(names) > 1 {
		hint += fmt.Sprintf("; -%s is short for it", names[1])
	}
	l.mistake(fmt.Sprintf("flag --%s is given twice", names[0]), hint)
}

func (l *commandLine) unknownFlag(arg, name string) {
	hint := l.helpHint() + "; an operand that starts with \"-\" goes after \"--\""
	if near := suggest.Nearest(name, flagNames(l.command())); near != "" {
		hint = fmt.Sprintf("did you mean --%s?", near)
	}
	arg, _, _ = strings.Cut(arg, "=")
	message := fmt.Sprintf("unknown flag %q", arg)
	if n := l.name(); n != "" {
		message += " for " + n
	}
	l.mistake(message, hint)
}

func (l *commandLine) mistake(message, hint string) { l.fail(&usageError{message, hint}) }

// fail notes the first mistake; later ones may only be its consequences.
func (l *commandLine) fail(mistake error) {
	if l.err == nil {
		l.err = mistake
	}
}

// name is the command's full name without the program's: "evidence hash".
func (l *commandLine) name() string {
	names := make([]string, len(l.path))
	for i, cmd := range l.path {
		names[i] = cmd.Name
	}
	return strings.Join(names, " ")
}

func (l *commandLine) helpCall() string {
	return strings.Join(strings.Fields(l.app.Name+" help "+l.name()), " ")
}

func (l *commandLine) helpHint() string { return fmt.Sprintf("`%s` shows the usage", l.helpCall()) }

// run hands the arguments to the library, or a mistake to the command it was made
// in, so that a report in a machine format stays valid.
func (l *commandLine) run(env Env) error {
	cmd := l.command()
	l.refuseSurplus()
	l.refuseEmpty()
	if l.err != nil {
		if cmd != nil && cmd.OnUsageError != nil {
			c, err := l.context(env)
			if err != nil {
				return err
			}
			return cmd.OnUsageError(c, l.err, true)
		}
		return l.err
	}
	args := []string{l.app.Name}
	for _, c := range l.path {
		args = append(args, c.Name)
	}
	args = append(append(append(args, l.flags...), "--"), l.operands...)
	return l.app.RunContext(env.Context, args)
}

// context is what the command reads its flags and operands from.
func (l *commandLine) context(env Env) (*cli.Context, error) {
	if err := l.set.Parse(append([]string{"--"}, l.operands...)); err != nil {
		return nil, err
	}
	c := cli.NewContext(l.app, l.set, nil)
	c.Command, c.Context = l.command(), env.Context
	return c, nil
}

// refuseSurplus refuses operands of a command that takes none.
func (l *commandLine) refuseSurplus() {
	if cmd := l.command(); cmd != nil && cmd.ArgsUsage == "" && len(l.operands) > 0 {
		l.mistake(fmt.Sprintf("unexpected operand %q: %s takes none", l.operands[0], l.name()), l.helpHint())
	}
}

// meansNoConfig says whether a flag names the cupel.yaml that a command heeds: nothing stands for
// none.
func (l *commandLine) meansNoConfig(name string) bool {
	return name == "--config" && l.lookup("force-exclude") != nil
}

// refuseEmpty refuses values of flags, and operands, that are nothing.
func (l *commandLine) refuseEmpty() {
	for _, f := range l.flags {
		name, value, _ := strings.Cut(f, "=")
		if value == "" && !mayBeEmpty[l.name()+" "+name] && !l.meansNoConfig(name) {
			l.mistake(name+" is empty", "leave the flag out, or give it a value; an unset variable has none")
		}
	}
	if i := slices.Index(l.operands, ""); i >= 0 && !mayBeEmpty[l.name()+" OPERAND"] {
		l.mistake(fmt.Sprintf("operand %d is empty", i+1), "an unset variable in quotes is an empty operand")
	}
}

// isSwitch reports whether a flag stands without a value.
func isSwitch(f cli.Flag) bool {
	b, ok := f.(*cli.BoolFlag)
	return ok && b != nil
}

// isRepeatable reports whether a flag collects the values of all its occurrences.
func isRepeatable(f cli.Flag) bool {
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

// flagNames are the long names of a command's flags; of the root for nil.
func flagNames(cmd *cli.Command) []string {
	names := []string{"help"}
	if cmd == nil {
		return names
	}
	for _, f := range cmd.Flags {
		names = append(names, f.Names()[0])
	}
	return names
}
