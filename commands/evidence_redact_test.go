package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	evidencecmd "github.com/cupel-dev/cupel/commands/evidence"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/internal/bundletest"
	"github.com/cupel-dev/cupel/internal/walk"
)

// redactText runs `evidence redact` from standard input to standard output.
func redactText(t *testing.T, stdin io.Reader, flags ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	env := cmdline.Env{Context: context.Background(), Stdin: stdin, Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
	code = Main(env, append([]string{"cupel", "evidence", "redact", "-"}, flags...))
	return code, out.String(), errs.String()
}

// scrubbed is a subject and what it becomes.
type scrubbed struct{ In, Out string }

// TestSubjectVectors redacts the published subjects, those of a list as one stream: the
// profile of the reference implementation gives its answers, and the default one those of
// the contract's two examples.
func TestSubjectVectors(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own cases ran")
		return
	}
	text, err := os.ReadFile(filepath.Join(root, "evidence/redaction/subject-scrub.json"))
	if err != nil {
		t.Fatal(err)
	}
	var lists map[string]json.RawMessage
	if err := json.Unmarshal(text, &lists); err != nil {
		t.Fatal(err)
	}
	for list, profile := range map[string]string{"asserted_upstream": "adr006-upstream", "behaviour_of_upstream_algorithm_on_traps": "adr006-upstream", "adr_examples": "default"} {
		var cases []scrubbed
		if err := json.Unmarshal(lists[list], &cases); err != nil || len(cases) == 0 {
			t.Fatalf("%s: %d cases, %v", list, len(cases), err)
		}
		expectSubjects(t, profile, cases)
		t.Logf("%s: %d subjects under --profile %s", list, len(cases), profile)
	}
}

// TestScrubVectors redacts the published texts of another scrub of the reference implementation: values that it
// detects are hidden, and others stay, except for a value after a marker. The profile of the reference hides every
// value after "Bearer", however short, and its rules hide keys; the default rules keep placeholders.
func TestScrubVectors(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own cases ran")
		return
	}
	text, err := os.ReadFile(filepath.Join(root, "evidence/redaction/other-upstream-cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Scrub struct{ Detects, Ignores []string } `json:"replay_scrub"`
	}
	if err := json.Unmarshal(text, &file); err != nil || len(file.Scrub.Detects) == 0 || len(file.Scrub.Ignores) == 0 {
		t.Fatalf("%d and %d texts, %v", len(file.Scrub.Detects), len(file.Scrub.Ignores), err)
	}
	var cases, headers []scrubbed
	for _, in := range file.Scrub.Detects {
		if before, found := upTo(in, "bearer "); found {
			headers = append(headers, scrubbed{in, before + "***"})
			continue
		}
		cases = append(cases, scrubbed{in, "***"})
	}
	for _, in := range file.Scrub.Ignores {
		out := in
		if before, found := upTo(in, "api_key="); found {
			out = before + "***"
		}
		cases = append(cases, scrubbed{in, out})
	}
	expectSubjects(t, privacy.ProfileUpstream, headers)
	expectSubjects(t, "default", cases, "--rules", privacy.RulesADR006)
	t.Logf("%d texts that are detected, %d that are passed over", len(file.Scrub.Detects), len(file.Scrub.Ignores))
}

// upTo returns a text up to the end of a lower-case word, however that is written in it; ""
// when it is not there.
func upTo(text, word string) (before string, found bool) {
	if i := strings.Index(strings.ToLower(text), word); i >= 0 {
		return text[:i+len(word)], true
	}
	return "", false
}

// expectSubjects redacts a stream with a subject in each event.
func expectSubjects(t *testing.T, profile string, cases []scrubbed, flags ...string) {
	t.Helper()
	recipe := bundletest.Recipe{Events: len(cases), Set: map[string]json.RawMessage{}, Stale: true}
	for i, c := range cases {
		recipe.Set[fmt.Sprintf("%d/subject", i)] = bundletest.Compact(c.In)
	}
	code, stdout, stderr := redactText(t, bytes.NewReader(recipe.Stream()), append(flags, "--profile", profile, "--accept-unverified")...)
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if len(lines) != len(cases) {
		t.Fatalf("%d lines for %d events", len(lines), len(cases))
	}
	for i, c := range cases {
		var e struct{ Subject string }
		if err := json.Unmarshal([]byte(lines[i]), &e); err != nil || e.Subject != c.Out {
			t.Errorf("%s: %q became %q, expected %q (%v)", profile, c.In, e.Subject, c.Out, err)
		}
	}
}

// endless is a reader of one text again and again.
type endless string

func (e endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		n += copy(p[n:], e)
	}
	return n, nil
}

// TestRedactSweep: a secret that would be left is said by its place and rule, with what to do
// about it, and is the end of the run as an event that has become too long is.
func TestRedactSweep(t *testing.T) {
	err := evidencecmd.RedactFailed(cmdline.Env{Context: context.Background()}, nil, walk.Input{Name: "run.ndjson"}, &redact.EventError{Line: 3, Err: &privacy.SweepError{Pointer: "/data/a", Rule: "jwt"}})
	advice, ok := errors.AsType[*cmdline.Hinted](err)
	if want := `cannot redact run.ndjson:3: "/data/a" still matches the secret rule jwt after its redaction`; !ok || err.Error() != want || !strings.Contains(advice.Hint, "policy file") {
		t.Errorf("%v, %+v", err, advice)
	}
}

// TestRedactEndless: an input without an end is refused at a limit, and nothing is written.
func TestRedactEndless(t *testing.T) {
	event := string(bundletest.Compact(bundletest.Event(0)))
	for title, input := range map[string]io.Reader{
		"zeros": endless("\x00"), "one line": io.MultiReader(strings.NewReader(event), endless(" ")), "blank lines": endless("\n"), "events": endless(event + "\n"), "gzip": io.MultiReader(strings.NewReader("\x1f\x8b"), endless("\x00")),
	} {
		code, stdout, stderr := redactText(t, input, "--accept-unverified", "--limits", `{"max_events":100,"max_events_bytes":300000,"max_line_bytes":100000,"max_bundle_bytes":300000,"max_decode_bytes":300000}`)
		if code != 1 || stdout != "" || !strings.Contains(stderr, "nothing was written") {
			t.Errorf("%s: exit code %d\n%s%s", title, code, stdout, stderr)
		}
	}
}
