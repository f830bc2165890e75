package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
)

var sampleRules = []finding.Rule{
	{ID: "a.one", Title: "one", Severity: finding.Error},
	{ID: "a.two", Title: "two", Severity: finding.Warning},
	{ID: "b.one", Title: "three", Severity: finding.Info},
}

// runReport runs a reporting command whose work is do, with the given flags.
func runReport(t *testing.T, flags string, do func(*Output) error) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	env := cmdline.Env{Context: t.Context(), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
	run := report.Run{Command: "check", Schema: "cupel.check/1", Lists: []string{"findings"}, Rules: func() []finding.Rule { return sampleRules }}
	cmd := Reporting(env, run, &cli.Command{Name: "check"}, func(_ *cli.Context, o *Output) (report.Summary, error) {
		return report.Summary{Value: map[string]int{}, Text: "done"}, do(o)
	})
	app := cli.NewApp()
	app.Name, app.DisableSliceFlagSeparator = "cupel", true
	app.ExitErrHandler = func(*cli.Context, error) {}
	app.Commands = []*cli.Command{cmd}
	cmdline.QuietLibrary(app.Name, app.Commands)
	line := cmdline.ReadArgs(app, append([]string{"check"}, strings.Fields(flags)...))
	code = cmdline.ExitCode(env, line.Run(env))
	return code, out.String(), errs.String()
}

// report one finding of each named rule.
func found(rules ...string) func(*Output) error {
	return func(o *Output) error {
		for _, id := range rules {
			r := sampleRules[0]
			for _, known := range sampleRules {
				if known.ID == id {
					r = known
				}
			}
			if err := o.Finding(finding.Finding{Rule: r.ID, Severity: r.Severity, Message: "fault", File: "f"}); err != nil {
				return err
			}
		}
		return nil
	}
}

// TestExitCodes: the same run ends with the same code in every format, and every
// machine format is valid and says so.
func TestExitCodes(t *testing.T) {
	fail := func(o *Output) error { return errors.Join(found("a.one")(o), o.Fail(errors.New("broken"))) }
	for _, c := range []struct {
		name, flags string
		do          func(*Output) error
		want        int
	}{
		{"nothing found", "", found(), 0},
		{"a warning", "", found("a.two"), 0},
		{"an error", "", found("a.one", "a.two"), 1},
		{"the answer is no", "", func(*Output) error { return cmdline.ErrNo }, 1},
		{"no through the output", "", func(o *Output) error { o.No(); return nil }, 1},
		{"a failure", "", func(*Output) error { return errors.New("broken") }, 2},
		{"2 beats 1", "", fail, 2},
		{"said before", "", func(*Output) error { return cmdline.ErrSaid }, 2},
		{"--fail-on warning", "--fail-on warning", found("a.two"), 1},
		{"--fail-on warning, a note", "--fail-on warning", found("b.one"), 0},
		{"--fail-on info", "--fail-on=info", found("b.one"), 1},
		{"--ignore", "--ignore a.one", found("a.one"), 0},
		{"--ignore a prefix", "--ignore a.", found("a.one", "b.one"), 0},
		{"--select another", "--select b.one,a.two", found("a.one"), 0},
		{"--select", "--select A.ONE", found("a.one"), 1},
		{"--select unknown", "--select c.one", found("a.one"), 2},
		{"--ignore nothing", "--ignore=", found("a.one"), 2},
		{"--color unknown", "--color blue", found(), 2},
		{"--fail-on unknown", "--fail-on never", found(), 2},
		{"unknown flag", "--strict", found(), 2},
		{"interrupted", "", func(*Output) error { return fmt.Errorf("reading: %w", context.Canceled) }, 130},
	} {
		for _, format := range report.Formats() {
			code, stdout, stderr := runReport(t, "--format "+format+" "+c.flags, c.do)
			if code != c.want {
				t.Errorf("%s as %s: exit code %d, want %d\n%s%s", c.name, format, code, c.want, stdout, stderr)
			}
			if format == "json" {
				checkDocument(t, c.name, stdout, code)
			}
		}
	}
}

func checkDocument(t *testing.T, name, text string, code int) {
	t.Helper()
	var doc struct {
		Schema, Status string
		Errors         []string
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Errorf("%s: %v in %s", name, err, text)
	}
	failed := code >= 2
	if (doc.Status == "error") != failed {
		t.Errorf("%s: status %q, errors %q, exit code %d", name, doc.Status, doc.Errors, code)
	}
}

// TestFormatFlag: several formats at once, into files, and what cannot be.
func TestFormatFlag(t *testing.T) {
	t.Chdir(t.TempDir())
	const path = "a,b.sarif"
	code, stdout, _ := runReport(t, "--format short --format sarif="+path, found("a.two"))
	text, err := os.ReadFile(path)
	if code != 0 || err != nil || !json.Valid(text) || stdout != "f: warning: fault [a.two]\ndone\n" {
		t.Errorf("code %d, %v\n%s\n%s", code, err, stdout, text)
	}
	for flags, want := range map[string]string{
		"--format xml":                          "cupel: error: unknown value \"xml\" for --format\ncupel: hint: known: text, short, json, jsonl, sarif, github, junit, gitlab, checkstyle, tap, html, markdown\n",
		"--format jsn":                          "cupel: error: unknown value \"jsn\" for --format\ncupel: hint: did you mean \"json\"?\n",
		"--format sarif=x,json":                 "cupel: error: --format sarif=x,json has several formats, expected one\ncupel: hint: give the flag once for each: --format sarif=x --format json\n",
		"--format json --format text":           "cupel: error: both json and text would go to standard output\ncupel: hint: send one of them into a file: --format text=PATH\n",
		"--format json=missing/x":               "cupel: error: cannot write the json report: cannot open \"missing/x\": no such file or directory\ncupel: hint: the folder \"missing\" does not exist\n",
		"--fail-on warn":                        "cupel: error: unknown value \"warn\" for --fail-on\ncupel: hint: did you mean \"warning\"?\n",
		"--ignore a.on":                         "",
		"--ignore a.oen":                        "cupel: error: --ignore \"a.oen\" matches no rule of this command\ncupel: hint: did you mean \"a.one\"?\n",
		"--quiet --no-progress --color=always":  "",
		"--select a.one --ignore a.one --quiet": "",
	} {
		code, _, stderr := runReport(t, flags, found())
		if stderr != want || (code == 2) != (want != "") {
			t.Errorf("%s: exit code %d\n%s", flags, code, stderr)
		}
	}
}

// TestUnwritableOutput checks that an answer that cannot be written is an error.
func TestUnwritableOutput(t *testing.T) {
	for err, said := range map[error]bool{syscall.ENOSPC: true, syscall.EPIPE: false} {
		var errs bytes.Buffer
		env := cmdline.Env{Context: t.Context(), Stdout: brokenWriter{err}, Stderr: &errs, Getenv: func(string) string { return "" }}
		o, openErr := OpenOutput(env, cliContext(t), report.Run{Lists: []string{"findings"}})
		if openErr != nil {
			t.Fatal(openErr)
		}
		if code := cmdline.ExitCode(env, o.Close(report.Summary{Text: "done"})); code != 2 || (errs.Len() > 0) != said {
			t.Errorf("%v: exit code %d, %q", err, code, errs.String())
		}
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// cliContext returns a context in which every output flag has its default.
func cliContext(t *testing.T) *cli.Context {
	t.Helper()
	set := flag.NewFlagSet("", flag.ContinueOnError)
	for _, f := range OutputFlags(report.Run{}) {
		if err := f.Apply(set); err != nil {
			t.Fatal(err)
		}
	}
	return cli.NewContext(cli.NewApp(), set, nil)
}
