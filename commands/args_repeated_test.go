package commands

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/racetest"
)

// TestRepeatedFlags gives every flag of every command twice, in all pairs of its spellings,
// with one value and with two, with other arguments before, between and after. A flag that
// collects values takes them all, in order, and its help says so; of a switch the last one counts; any
// other is refused: exit code 2, in one
// sentence with a hint, and nothing runs.
func TestRepeatedFlags(t *testing.T) {
	t.Chdir(t.TempDir()) // nothing may be written into it
	env, out := testEnv(t)
	type commandFlag struct {
		cmd  cmdline.Leaf
		flag cli.Flag
	}
	var list []commandFlag
	for _, cmd := range commandsThatRun("", newApp(env).Commands) {
		for _, f := range cmd.Flags {
			list = append(list, commandFlag{cmd, f})
		}
	}
	flags, refused := 0, 0
	for _, its := range racetest.Large(t, 8, list) {
		flags++
		cmd, f := its.cmd, its.flag
		if _, usage := cmdline.DescribeFlag(f); cmdline.IsRepeatable(f) != strings.Contains(usage, "repeatable") {
			t.Errorf("%s: the help of --%s says that it is repeatable, or must: %s", cmd.Name, f.Names()[0], usage)
		}
		for _, given := range twice(f) {
			args := slices.Concat(strings.Fields(cmd.Name), []string{"-"}, given.first, []string{"a"}, given.second, []string{"b"})
			if cmdline.IsRepeatable(f) {
				checkCollected(t, env, f, args, given.values)
				continue
			}
			if cmdline.IsSwitch(f) {
				checkLast(t, env, f, args)
				continue
			}
			refused++
			out.Reset()
			code := Main(env, append([]string{"cupel"}, args...))
			if reports(cmd) && f.Names()[0] == "output" {
				_ = os.Remove("x") // of the first -o: a report says why there is no answer, as with --format FORMAT=x
			}
			want := fmt.Sprintf("cupel: error: flag --%s is given twice\ncupel: hint: give the flag once", f.Names()[0])
			if code != cmdline.ExitCannot || !strings.Contains(out.String(), want) || strings.Count(out.String(), "cupel: error: ") != 1 {
				t.Errorf("%q: exit code %d, expected %d and %q:\n%s", args, code, cmdline.ExitCannot, want, out)
			}
		}
	}
	if left, err := filepath.Glob("*"); err != nil || len(left) > 0 {
		t.Errorf("refused command lines have written %q (%v)", left, err)
	}
	if refused == 0 {
		t.Fatal("no flag was refused")
	}
	t.Logf("%d of %d flags, %d command lines refused", flags, len(list), refused)
}

// checkLast: a switch that is given twice has its last value, once.
func checkLast(t *testing.T, env cmdline.Env, f cli.Flag, args []string) {
	t.Helper()
	line := cmdline.ReadArgs(newApp(env), args)
	want := "--" + f.Names()[0] + "="
	n := 0
	for _, flag := range line.Flags {
		if value, its := strings.CutPrefix(flag, want); its {
			n++
			last := "true"
			for _, arg := range args {
				if name, given, ok := strings.Cut(strings.TrimLeft(arg, "-"), "="); slices.Contains(f.Names(), name) {
					last = "true"
					if ok {
						last = given
					}
				}
			}
			if value != last {
				t.Errorf("%q: --%s is %s, expected %s", args, f.Names()[0], value, last)
			}
		}
	}
	if line.Err != nil || n != 1 {
		t.Errorf("%q: %v, and the flag %d times in %q", args, line.Err, n, line.Flags)
	}
}

// checkCollected: a repeatable flag has taken its values in their order.
func checkCollected(t *testing.T, env cmdline.Env, f cli.Flag, args, values []string) {
	t.Helper()
	line := cmdline.ReadArgs(newApp(env), args)
	var want []string
	for _, value := range values {
		want = append(want, "--"+f.Names()[0]+"="+value)
	}
	if line.Err != nil || !slices.Equal(line.Flags, want) {
		t.Errorf("%q: flags %q (%v), expected %q", args, line.Flags, line.Err, want)
	}
}

// commandsThatRun returns the leaves of the tree, the hidden ones as well.
func commandsThatRun(parent string, list []*cli.Command) (found []cmdline.Leaf) {
	for _, cmd := range list {
		name := strings.TrimSpace(parent + " " + cmd.Name)
		if len(cmd.Subcommands) > 0 {
			found = append(found, commandsThatRun(name, cmd.Subcommands)...)
			continue
		}
		found = append(found, cmdline.Leaf{Name: name, Command: cmd})
	}
	return found
}

// repetition is a flag given twice.
type repetition struct {
	first, second []string // arguments
	values        []string
}

// twice returns the ways to give a flag twice: every pair of spellings with every pair of
// values that its type takes.
func twice(f cli.Flag) (list []repetition) {
	values := []string{"x", ""}
	switch f.(type) {
	case *cli.BoolFlag:
		values = []string{"true", "false"}
	case *cmdline.NumberFlag:
		values = []string{"1", "9"}
	case *cli.IntFlag, *cli.Int64Flag, *cli.Float64Flag:
		values = []string{"1", "2"}
	case *cli.DurationFlag:
		values = []string{"1s", "2s"}
	}
	for _, a := range values {
		for _, b := range values {
			for _, first := range spellings(f, a) {
				for _, second := range spellings(f, b) {
					list = append(list, repetition{first, second, []string{a, b}})
				}
			}
		}
	}
	return list
}

// spellings returns the ways to give a flag a value.
func spellings(f cli.Flag, value string) (list [][]string) {
	for _, name := range f.Names() {
		for _, dashes := range []string{"-", "--"} {
			list = append(list, []string{dashes + name + "=" + value})
			switch {
			case !cmdline.IsSwitch(f):
				list = append(list, []string{dashes + name, value})
			case value == "true":
				list = append(list, []string{dashes + name})
			}
		}
	}
	return list
}

// TestRepeatedSuites: a run over several suites answers what runs over each of them answer
// together, whatever their order: the results are theirs, one after the other, and the
// answer is good only when each alone is.
func TestRepeatedSuites(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"trace.json": `{"schema_version":1,"trace_id":"t","output":{"message":"Done."}}`,
		"good.yaml":  "- {assertion_id: a, type: content, spec: {target: output.message, check: contains, value: done}}\n",
		"hard.yaml":  "- {assertion_id: a, type: content, spec: {target: output.message, check: contains, value: never}}\n",
		"soft.yaml":  "- {assertion_id: s, type: content, spec: {target: output.message, check: contains, value: never, soft: true}}\n",
		"over.yaml":  "max_soft: 0\nassertions:\n  - {assertion_id: o, type: content, spec: {target: output.message, check: contains, value: never, soft: true}}\n",
		"room.yaml":  "max_soft: 1\nassertions:\n  - {assertion_id: r, type: content, spec: {target: output.message, check: contains, value: never, soft: true}}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	suites := []string{"good.yaml", "hard.yaml", "soft.yaml", "over.yaml", "room.yaml"}
	alone := map[string]evalRun{}
	for _, name := range suites {
		alone[name] = runEval(t, name)
	}
	if alone["good.yaml"].code != cmdline.ExitYes || alone["hard.yaml"].code != cmdline.ExitNo || alone["over.yaml"].code != cmdline.ExitNo || alone["room.yaml"].code != cmdline.ExitYes {
		t.Fatalf("the suites alone: %v", alone)
	}
	runs := 0
	for set := 1; set < 1<<len(suites); set++ {
		var names []string
		for i, name := range suites {
			if set>>i&1 == 1 {
				names = append(names, name)
			}
		}
		for range names { // every rotation
			names = append(names[1:], names[0])
			runs++
			want := evalRun{}
			for _, name := range names {
				want.results = append(want.results, alone[name].results...)
				want.code = max(want.code, alone[name].code)
			}
			if got := runEval(t, names...); got.code != want.code || !slices.Equal(got.results, want.results) {
				t.Errorf("%q: exit code %d, expected %d; results\n%s\nexpected\n%s", names, got.code, want.code,
					strings.Join(got.results, "\n"), strings.Join(want.results, "\n"))
			}
		}
	}
	t.Logf("%d runs", runs)
}

// evalRun is what a run over one trace answers.
type evalRun struct {
	code    int
	results []string // lines of findings and results
}

func runEval(t *testing.T, suites ...string) (run evalRun) {
	t.Helper()
	env, out := testEnv(t)
	args := []string{"cupel", "attest", "eval", "trace.json", "--format", "jsonl"}
	for _, name := range suites {
		args = append(args, "--assertions", name)
	}
	run.code = Main(env, args)
	for line := range strings.Lines(out.String()) {
		if strings.Contains(line, `"place":`) {
			before, after, _ := strings.Cut(line, `"duration_ms":`)
			run.results = append(run.results, before+strings.TrimLeft(after, "0123456789"))
		}
	}
	return run
}
