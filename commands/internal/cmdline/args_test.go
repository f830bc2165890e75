package cmdline

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"
)

// sampleApp returns a small command tree with every kind of flag.
func sampleApp() *cli.App {
	leaf := &cli.Command{Name: "hash", Aliases: []string{"h1"}, ArgsUsage: "PATH…", Flags: []cli.Flag{
		&cli.BoolFlag{Name: "strict"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}},
		&cli.StringFlag{Name: "color", Aliases: []string{"c"}},
		&cli.StringSliceFlag{Name: "format", Aliases: []string{"f"}},
		&cli.IntFlag{Name: "max-depth"},
		&cli.DurationFlag{Name: "timeout"},
	}}
	app := cli.NewApp()
	app.Name = "cupel"
	app.DisableSliceFlagSeparator = true
	app.Commands = []*cli.Command{Group("evidence", "events", leaf), {Name: "version"}, {Name: "secret", Hidden: true}}
	QuietLibrary(app.Name, app.Commands)
	return app
}

// TestReadArgs compares each line with its flags and operands after "→", or with a mistake and its hint.
func TestReadArgs(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		// flags anywhere
		{"evidence hash a --strict b", "evidence hash [--strict=true] [a b]"},
		{"evidence hash --strict a b", "evidence hash [--strict=true] [a b]"},
		{"evidence hash a b --format json", "evidence hash [--format=json] [a b]"},
		{"evidence hash a --format=json b -q", "evidence hash [--format=json --quiet=true] [a b]"},
		{"evidence hash --format sarif=a,b.sarif --format text x", "evidence hash [--format=sarif=a,b.sarif --format=text] [x]"},
		{"evidence hash -f json -c=never x", "evidence hash [--format=json --color=never] [x]"},
		{"evidence hash -strict x", "evidence hash [--strict=true] [x]"},
		{"evidence h1 x", "evidence hash [] [x]"},
		// switches take a value only after "="
		{"evidence hash --strict=false x", "evidence hash [--strict=false] [x]"},
		{"evidence hash --strict false x", "evidence hash [--strict=true] [false x]"},
		// values
		{"evidence hash --max-depth 0x10 x", "evidence hash [--max-depth=0x10] [x]"},
		{"evidence hash --max-depth -1 x", "evidence hash [--max-depth=-1] [x]"},
		{"evidence hash --color= x", "evidence hash [--color=] [x]"},
		{"evidence hash --color --strict", "evidence hash [--color=--strict] []"},
		{"evidence hash --max-depth ten x", `--max-depth is "ten", expected a whole number | ` + "`cupel help evidence hash` shows the usage"},
		{"evidence hash --timeout 5 x", `--timeout is "5", expected a time such as 30s or 5m | ` + "`cupel help evidence hash` shows the usage"},
		{"evidence hash --strict=maybe", `--strict is "maybe", expected true or false | ` + "`cupel help evidence hash` shows the usage"},
		{"evidence hash x --color", "flag --color needs a value | `cupel help evidence hash` shows the usage"},
		// a flag with one value is given once, however it is spelled
		{"evidence hash --strict x --strict", "evidence hash [--strict=true] [x]"},
		{"evidence hash --strict --strict=false", "evidence hash [--strict=false] []"},
		{"evidence hash -strict --strict", "evidence hash [--strict=true] []"},
		{"evidence hash -q x --quiet", "evidence hash [--quiet=true] [x]"},
		{"evidence hash --color a --color=a", "flag --color is given twice | give the flag once; -c is short for it"},
		{"evidence hash -c a x -c b", "flag --color is given twice | give the flag once; -c is short for it"},
		{"evidence hash --max-depth=1 --max-depth 0x1", "flag --max-depth is given twice | give the flag once"},
		{"evidence hash --timeout 1s --timeout 1s", "flag --timeout is given twice | give the flag once"},
		{"evidence hash --timeout 1s --timeout", "flag --timeout needs a value | `cupel help evidence hash` shows the usage"},
		{"evidence hash --color --color --color", "flag --color needs a value | `cupel help evidence hash` shows the usage"},
		{"evidence hash --color --color x", "evidence hash [--color=--color] [x]"},
		{"evidence hash --color a -- --color b", "evidence hash [--color=a] [--color b]"},
		{"evidence hash -f a --format=a -f b", "evidence hash [--format=a --format=a --format=b] []"},
		{"evidence hash --strict --strict -h", "evidence hash help"},
		// operands that look like something else
		{"evidence hash -", "evidence hash [] [-]"},
		{"evidence hash - --strict", "evidence hash [--strict=true] [-]"},
		{"evidence hash -- --strict -x", "evidence hash [] [--strict -x]"},
		{"evidence hash a -- -- b", "evidence hash [] [a -- b]"},
		{"evidence hash help", "evidence hash [] [help]"},
		{"evidence hash version evidence", "evidence hash [] [version evidence]"},
		{"evidence hash -x.json", `unknown flag "-x.json" for evidence hash | ` + "`cupel help evidence hash` shows the usage; an operand that starts with \"-\" goes after \"--\""},
		// unknown flags and commands
		{"evidence hash --strickt x", `unknown flag "--strickt" for evidence hash | did you mean --strict?`},
		{"evidence hash --colour=never x", `unknown flag "--colour" for evidence hash | did you mean --color?`},
		{"evidence hsah x", `unknown command "evidence hsah" | did you mean "hash"?`},
		{"evidnce hash", `unknown command "evidnce" | did you mean "evidence"?`},
		{"frobnicate", "unknown command \"frobnicate\" | `cupel help` lists the commands"},
		{"evidence frobnicate", "unknown command \"evidence frobnicate\" | `cupel help evidence` lists the commands"},
		{"secre", "unknown command \"secre\" | `cupel help` lists the commands"},
		{"--strict", "unknown flag \"--strict\" | `cupel help` shows the usage; an operand that starts with \"-\" goes after \"--\""},
		// only the first mistake is reported
		{"evidence hash --one --two", `unknown flag "--one" for evidence hash | ` + "`cupel help evidence hash` shows the usage; an operand that starts with \"-\" goes after \"--\""},
		// help, in any position
		{"evidence hash x -h", "evidence hash help"},
		{"evidence hash --help --strict", "evidence hash help"},
		{"-h", "help"},
		{"evidence --help", "evidence help"},
		{"evidence hash -- -h", "evidence hash [] [-h]"},
		{"--version", "version [] []"},
		{"evidence hash --version", `unknown flag "--version" for evidence hash | ` + "`cupel help evidence hash` shows the usage; an operand that starts with \"-\" goes after \"--\""},
		{"", "[] []"},
	} {
		l := ReadArgs(sampleApp(), strings.Fields(c.args))
		if diff := cmp.Diff(c.want, told(l)); diff != "" {
			t.Errorf("cupel %s (-want +got):\n%s", c.args, diff)
		}
	}
}

// told formats a command line on one line.
func told(l commandLine) string {
	switch {
	case l.Err != nil && !l.Help:
		return l.Err.Error() + " | " + HintOf(l.Err)
	case l.Help:
		return strings.TrimSpace(l.name() + " help")
	}
	list := func(s []string) string { return "[" + strings.Join(s, " ") + "]" }
	return strings.TrimSpace(l.name() + " " + list(l.Flags) + " " + list(l.Operands))
}

// TestLibraryGetsWhatWasRead runs the library with the reader's arguments: an operand that names a command of the
// library's own, and one that starts with "-", arrive unchanged.
func TestLibraryGetsWhatWasRead(t *testing.T) {
	app := sampleApp()
	var got []string
	app.Commands[0].Subcommands[0].Action = func(c *cli.Context) error {
		got = append(c.Args().Slice(), c.StringSlice("format")...)
		return nil
	}
	line := ReadArgs(app, strings.Fields("evidence hash help --format sarif=a,b --strict -- -x --strict --"))
	if err := line.Run(Env{Context: t.Context()}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Fields("help -x --strict -- sarif=a,b"), got); diff != "" {
		t.Error(diff)
	}
}
