package commands_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/racetest"
)

// TestAttestJobs evaluates and validates several hundred traces of very different sizes with one worker and with
// several, including failing and broken ones and an empty file. The output is the same, byte for byte, apart from the
// times.
func TestAttestJobs(t *testing.T) {
	dir := t.TempDir()
	var lines strings.Builder
	traces := 400 / racetest.Step(t)
	for i := range traces {
		padding := strings.Repeat("x", i%7*20_000)
		switch i % 10 {
		case 3:
			fmt.Fprintf(&lines, `{"schema_version":1,"trace_id":"t%d","output":{}}`+"\n", i)
		case 7:
			fmt.Fprintf(&lines, `{"schema_version":1,"trace_id":"t%d","output":{"message":"none %s"}}`+"\n", i, padding)
		default:
			fmt.Fprintf(&lines, `{"schema_version":1,"trace_id":"t%d","output":{"message":"refund %d %s"}}`+"\n", i, i, padding)
		}
	}
	writeFile(t, filepath.Join(dir, "a.jsonl"), []byte(lines.String()))
	writeFile(t, filepath.Join(dir, "b.json"), nil)
	writeFile(t, filepath.Join(dir, "c.json"), []byte(`{"schema_version":1,"trace_id":"c","output":{"message":"refund"}}`))
	suite := filepath.Join(dir, "suite.yaml")
	writeFile(t, suite, []byte("- assertion_id: refund\n  type: content\n  spec: {target: output.message, check: contains, value: refund}\n"))
	second := filepath.Join(dir, "second.yaml")
	writeFile(t, second, []byte("- {assertion_id: none, type: content, spec: {target: output.message, check: contains, value: none, soft: true}}\n"))
	times := regexp.MustCompile(`"(total_)?duration_ms":[0-9]+`)
	run := func(args ...string) string {
		var out, messages bytes.Buffer
		code := commands.Main(commands.Env{
			Context: context.Background(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &messages, Getenv: os.Getenv,
		}, append([]string{"cupel", "attest"}, args...))
		return fmt.Sprintf("%s\n%s\nexit code %d", times.ReplaceAllString(out.String(), `"duration_ms":0`), messages.String(), code)
	}
	for _, command := range [][]string{
		{"eval", "--assertions", suite, "--format", "jsonl"},
		{"eval", "--assertions", suite},
		{"eval", "--assertions", suite, "--assertions", second, "--format", "jsonl"},
		{"validate", "--format", "jsonl"},
	} {
		command = append(command, filepath.Join(dir, "[abc].json*"))
		want := run(append(command, "--jobs", "1")...)
		if n := strings.Count(want, "\n"); n < traces || !strings.Contains(want, "exit code 2") {
			t.Fatalf("%v: %d lines: %.300s", command, n, want)
		}
		for _, jobs := range []string{"2", "8"} {
			if got := run(append(command, "--jobs", jobs)...); got != want {
				t.Errorf("%v with %s jobs answers otherwise than with one", command, jobs)
			}
		}
	}
}
