package commands

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

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
