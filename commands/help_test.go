package commands

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
)

func testEnv(t *testing.T) (cmdline.Env, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	return cmdline.Env{Context: t.Context(), Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }}, &out
}

// example is a call of cupel within a line of shell: up to a pipe, a redirection or
// the next command.
var example = regexp.MustCompile(`cupel [^|<>&;)#\n]*`)

// TestEveryCommandIsExplained: each command that runs has one sentence, three
// examples that its own flags accept, and a text for each flag.
func TestEveryCommandIsExplained(t *testing.T) {
	env, _ := testEnv(t)
	app := newApp(env)
	calls := 0
	for _, cmd := range cmdline.Leaves("", app.Commands) {
		if cmd.Usage == "" || strings.HasSuffix(cmd.Usage, ".") || strings.Contains(cmd.Usage, "\n") {
			t.Errorf("%s: usage %q is no single sentence without a full stop", cmd.Name, cmd.Usage)
		}
		if lines := strings.Count(cmd.UsageText, "\n") + 1; cmd.UsageText == "" || lines < 3 {
			t.Errorf("%s: fewer than three examples:\n%s", cmd.Name, cmd.UsageText)
		}
		for _, call := range example.FindAllString(cmd.UsageText, -1) {
			calls++
			line := cmdline.ReadArgs(newApp(env), strings.Fields(strings.ReplaceAll(call, `"`, ""))[1:])
			line.RefuseSurplus()
			if line.Err != nil {
				t.Errorf("%s: example %q: %v", cmd.Name, call, line.Err)
			}
		}
		for _, f := range cmd.Flags {
			checkFlagText(t, cmd.Name, f)
		}
	}
	if calls == 0 {
		t.Fatal("no examples")
	}
	t.Logf("%d examples", calls)
}

// checkFlagText: a flag is explained in words without quotes and without a full stop, and
// a default that it has is shown.
func checkFlagText(t *testing.T, command string, f cli.Flag) {
	t.Helper()
	names, usage := cmdline.DescribeFlag(f)
	if usage == "" {
		t.Errorf("%s: %s is not explained", command, names)
	}
	if regexp.MustCompile(`\([A-Z]+\)|\.$|(^|\W)'|'(\W|$)`).MatchString(usage) {
		t.Errorf("%s: %s is explained by %q", command, names, usage)
	}
	hasDefault := false
	switch f := f.(type) {
	case *cli.IntFlag:
		hasDefault = f.Value != 0
	case *cli.Int64Flag:
		hasDefault = f.Value != 0
	case *cli.StringFlag:
		hasDefault = f.Value != ""
	case *cmdline.WordFlag:
		hasDefault = f.Value != ""
	case *cli.DurationFlag:
		hasDefault = f.Value != 0
	}
	if hasDefault && !strings.Contains(usage, "(default: ") {
		t.Errorf("%s: %s has a default that its text %q does not show", command, names, usage)
	}
}

// TestShortHelp: the help of the program fits on a screen and names each command in one section; the short help of a
// command does not show more flags than fit, and names flags that exist.
func TestShortHelp(t *testing.T) {
	env, out := testEnv(t)
	if code := Main(env, []string{"cupel", "help"}); code != 0 || bytes.Count(out.Bytes(), []byte("\n")) > 30 {
		t.Errorf("exit code %d, expected at most 30 lines:\n%s", code, out)
	}
	app := newApp(env)
	var listed, visible []string
	for _, section := range cmdline.SectionsOf(app) {
		for _, row := range section.Rows {
			listed = append(listed, row.Name)
		}
	}
	for _, cmd := range app.Commands {
		if !cmd.Hidden {
			visible = append(visible, cmd.Name)
		}
	}
	slices.Sort(listed)
	slices.Sort(visible)
	if diff := cmp.Diff(visible, listed); diff != "" {
		t.Errorf("the sections do not list each command once (-commands +listed):\n%s", diff)
	}
	for _, cmd := range cmdline.Leaves("", app.Commands) {
		common := cmdline.CommonFlags(app, cmd.Name, cmd.Command)
		if len(cmd.Flags) > 15 && (len(common) < 5 || len(common) > 16) {
			t.Errorf("%s: %d of %d flags are common, expected 5 to 16", cmd.Name, len(common), len(cmd.Flags))
		}
		for _, name := range cmdline.AboutOf(app, cmd.Name).Common {
			if !slices.Contains(cmdline.FlagNames(cmd.Command), name) {
				t.Errorf("%s: no flag --%s, which its short help shows", cmd.Name, name)
			}
		}
		for _, all := range []string{"-h", "--help-all"} {
			out.Reset()
			if code := Main(env, append(append([]string{"cupel"}, strings.Fields(cmd.Name)...), all)); code != 0 {
				t.Errorf("%s %s: exit code %d", cmd.Name, all, code)
			}
			for line := range strings.Lines(out.String()) {
				if utf8.RuneCountInString(line) > 81 && strings.Contains(strings.TrimSpace(line), " ") && !strings.HasPrefix(line, "  cupel ") &&
					!strings.HasPrefix(line, "cupel ") && !strings.HasPrefix(line, "Usage: ") && !strings.HasPrefix(line, "More: ") && all == "-h" {
					t.Errorf("%s: a line is longer than 80 columns: %s", cmd.Name, line)
				}
			}
			for _, f := range cmd.Flags {
				if names, _ := cmdline.DescribeFlag(f); all == "--help-all" && !strings.Contains(out.String(), strings.TrimSpace(names)) {
					t.Errorf("%s --help-all does not show %s", cmd.Name, names)
				}
			}
		}
	}
}

// TestHelpOfEveryCommand: asked for, it goes to standard output with exit code 0 and
// is the same whichever way it is asked for.
func TestHelpOfEveryCommand(t *testing.T) {
	env, out := testEnv(t)
	pages := 0
	for _, cmd := range append(cmdline.Leaves("", newApp(env).Commands), cmdline.Leaf{Name: "", Command: nil}, cmdline.Leaf{Name: "trace", Command: nil}, cmdline.Leaf{Name: "evidence", Command: nil}) {
		words := strings.Fields(cmd.Name)
		var texts []string
		for _, args := range [][]string{append([]string{"help"}, words...), append(words[:len(words):len(words)], "-h")} {
			out.Reset()
			if code := Main(env, append([]string{"cupel"}, args...)); code != 0 {
				t.Errorf("cupel %v: exit code %d", args, code)
			}
			texts = append(texts, out.String())
		}
		if diff := cmp.Diff(texts[0], texts[1]); diff != "" || !strings.Contains(texts[0], "\nUsage: cupel") {
			t.Errorf("help of %q:\n%s\n%s", cmd.Name, texts[0], diff)
		}
		pages++
	}
	t.Logf("%d pages", pages)
}

func TestDescribeFlag(t *testing.T) {
	for _, c := range []struct {
		flag        cli.Flag
		names, text string
	}{
		{&cli.BoolFlag{Name: "strict", Usage: "be strict"}, "    --strict", "be strict"},
		{&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "less"}, "-q, --quiet", "less"},
		{&cli.StringFlag{Name: "to", Usage: "`PATH` to write"}, "    --to=PATH", "PATH to write"},
		{&cli.StringFlag{Name: "to", Usage: "`WHEN`: now or later"}, "    --to=WHEN", "now or later"},
		{&cli.IntFlag{Name: "n", Usage: "a number"}, "    --n=VALUE", "a number"},
		{&cli.IntFlag{Name: "n", Usage: "`N`: a number", Value: 7}, "    --n=N", "a number (default: 7)"},
		{&cli.IntFlag{Name: "n", Usage: "`N` times (default: often)", Value: 7}, "    --n=N", "N times (default: often)"},
	} {
		if names, text := cmdline.DescribeFlag(c.flag); names != c.names || text != c.text {
			t.Errorf("%q, %q; want %q, %q", names, text, c.names, c.text)
		}
	}
}

// TestCompletionScriptsParse lets each shell that is installed read its script.
func TestCompletionScriptsParse(t *testing.T) {
	for _, shell := range cmdline.Shells() {
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s is not installed: its script was not parsed", shell)
			continue
		}
		file := t.TempDir() + "/script"
		script, _ := cmdline.CompletionScript(shell)
		if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(path, "-n", file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
}
