package commands

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/decided"
)

// decidedWith runs a command with --format json and returns its exit code and the files of its report.
func decidedWith(t *testing.T, line string) (int, []decided.File) {
	t.Helper()
	words := strings.Fields(line)
	at := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") })
	if at < 0 {
		at = len(words)
	}
	code, stdout, stderr := runHere(t, slices.Insert(words, at, "--format", "json")...)
	var doc struct {
		DecidedWith []decided.File `json:"decided_with"`
	}
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		t.Fatalf("cupel %s: exit code %d, %v\n%s%s", line, code, err, stdout, stderr)
	}
	return code, doc.DecidedWith
}

// layDeciders lays inputs and the files that take part in verdicts on them in the current folder.
func layDeciders(t *testing.T) {
	t.Helper()
	examples, err := filepath.Abs("../testdata/examples")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for to, from := range map[string]string{
		"five.yaml": "oatf/five-faults.yaml", "leaky.ndjson": "evidence/leaky.ndjson", "run.tar.gz": "evidence/run.tar.gz", "run.ndjson": "evidence/run.ndjson", "event.json": "evidence/event.json", "log.jsonl": "session/refund.jsonl", "edited.jsonl": "session/refund-edited.jsonl",
		"trace.jsonl": "trace/incident/trace.jsonl", "plan.json": "trace/incident/plan.json",
	} {
		text, err := os.ReadFile(filepath.Join(examples, from))
		if err != nil {
			t.Fatal(err)
		}
		writeFiles(t, map[string]string{to: string(text)})
	}
	_, anchor, _ := runHere(t, "trace", "seal", "log.jsonl")
	_, sums, _ := runHere(t, "evidence", "hash", "leaky.ndjson")
	writeFiles(t, map[string]string{
		"cupel.yaml": "exclude: [none.yaml]\n", "anchor.json": anchor, "sums.txt": sums,
		"policy.yaml": "classes: [{pointer: /data/note, class: sensitive}]\n", "limits.json": "{}",
		"engine.yaml": "max_tokens: 900\n", "t.json": `{"trace_id":"t","output":{"message":"x"},"steps":[]}`,
		"s.yaml": "assertions: [{assertion_id: a, type: content, spec: {target: output.message, check: contains, value: x}}]\n",
	})
	runHere(t, "oatf", "lint", "--quiet", "--write-baseline", "known.json", "five.yaml")
	runHere(t, "trace", "verify", "--quiet", "--growing", "--state", "state.json", "log.jsonl")
	runHere(t, "attest", "eval", "--format", "json=before.json", "--history", "past.jsonl", "--quiet", "--assertions", "s.yaml", "t.json")
}

// TestDecidedWith: a report names each file that took part in its verdicts, with the digest of the bytes that the
// file has, also after they changed.
func TestDecidedWith(t *testing.T) {
	layDeciders(t)
	for _, side := range []struct{ role, file, line string }{
		{decided.Configuration, "cupel.yaml", "oatf lint five.yaml"},
		{decided.Configuration, "cupel.yaml", "evidence lint leaky.ndjson"},
		{decided.Configuration, "cupel.yaml", "check log.jsonl"},
		{decided.Baseline, "known.json", "oatf lint --baseline known.json five.yaml"},
		{decided.Baseline, "known.json", "check --baseline known.json five.yaml"},
		{"anchor", "anchor.json", "trace verify --anchor anchor.json log.jsonl"},
		{"plan", "plan.json", "trace verify --plan plan.json trace.jsonl"},
		{"state", "state.json", "trace verify --state state.json log.jsonl"},
		{"list of hashes", "sums.txt", "evidence hash --check-sums sums.txt"},
		{"policy", "policy.yaml", "evidence lint --policy policy.yaml leaky.ndjson"},
		{"limits", "limits.json", "evidence verify --limits @limits.json leaky.ndjson"},
		{"engine configuration", "engine.yaml", "attest eval --engine-config engine.yaml --assertions s.yaml t.json"},
		{"history", "past.jsonl", "attest eval --history past.jsonl --assertions s.yaml t.json"},
		{"earlier results", "before.json", "attest eval --against before.json --assertions s.yaml t.json"},
	} {
		for range 2 {
			text, err := os.ReadFile(side.file)
			if err != nil {
				t.Fatal(err)
			}
			code, files := decidedWith(t, side.line)
			i := slices.IndexFunc(files, func(f decided.File) bool { return f.Role == side.role && f.Name == side.file })
			sum := sha256.Sum256(text)
			if i < 0 || files[i].SHA256 != hex.EncodeToString(sum[:]) || files[i].Bytes != int64(len(text)) {
				t.Fatalf("cupel %s: exit code %d, %+v, expected %q with %x", side.line, code, files, side.file, sum)
			}
			if text, err = os.ReadFile(side.file); err != nil { // the run rewrites its state
				t.Fatal(err)
			}
			writeFiles(t, map[string]string{side.file: string(text) + "\n"})
		}
	}
}

// TestLeftOut: what a configuration and a baseline leave out is counted for the line that does it, in every format.
func TestLeftOut(t *testing.T) {
	layDeciders(t)
	_, none := decidedWith(t, "oatf lint --config= five.yaml")
	if len(none) > 0 {
		t.Errorf("nothing takes part, but the report has %+v", none)
	}
	writeFiles(t, map[string]string{"old/a.yaml": "oatf: 0.1\n", "cupel.yaml": "exclude: [old/]\nignore: [V-029, V-013]\nfail-on: warning\nper-file-ignores:\n  '*.yaml': [P-]\n  '*.ndjson': [EV-, L-]\n"})
	_, files := decidedWith(t, "oatf lint .")
	want := []decided.Effect{
		{Effect: decided.FilesExcluded, By: "cupel.yaml:1:11 (old/)", Count: 1},
		{Effect: decided.FindingsIgnored, By: "cupel.yaml:2:10 (ignore V-029)", Count: 1},
		{Effect: decided.FindingsIgnored, By: "cupel.yaml:2:17 (ignore V-013)", Count: 1},
		{Effect: decided.Sets, By: "cupel.yaml:3:10 (fail-on: warning)"},
		{Effect: decided.FindingsIgnored, By: "cupel.yaml:5:3 (per-file-ignores *.yaml)", Count: 2},
	}
	if len(files) != 1 {
		t.Fatalf("%+v", files)
	}
	if diff := cmp.Diff(want, files[0].Effects); diff != "" {
		t.Error(diff)
	}
	for _, command := range []string{"oatf lint", "check"} {
		for _, format := range []string{"text", "short", "json", "jsonl", "sarif", "github", "junit", "gitlab", "checkstyle", "tap", "markdown", "html"} {
			_, stdout, _ := runHere(t, append(strings.Fields(command), "--quiet", "--format", format, ".")...)
			if !strings.Contains(strings.ReplaceAll(stdout, "\\", ""), "cupel.yaml") {
				t.Errorf("cupel %s --quiet --format %s does not say what cupel.yaml leaves out:\n%s", command, format, stdout)
			}
		}
	}
}

// TestSuppressed: SARIF has the findings that files leave out, as suppressed ones, and nothing else changes.
func TestSuppressed(t *testing.T) {
	layDeciders(t)
	type result struct {
		RuleID       string
		Suppressions []struct{ Kind, Justification string }
	}
	results := func(line string) (list []result) {
		_, stdout, _ := runHere(t, strings.Fields(line)...)
		var doc struct{ Runs []struct{ Results []result } }
		if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
			t.Fatal(err)
		}
		return doc.Runs[0].Results
	}
	for _, of := range []struct{ lint, file string }{{"oatf lint", "five.yaml"}, {"evidence lint", "leaky.ndjson"}, {"trace verify", "edited.jsonl"}} {
		whole := results(of.lint + " --config= --format sarif " + of.file)
		if len(whole) < 1 {
			t.Fatalf("cupel %s: %d findings", of.lint, len(whole))
		}
		writeFiles(t, map[string]string{"cupel.yaml": "per-file-ignores: {'**': [" + whole[0].RuleID + "]}\n"})
		runHere(t, append(strings.Fields(of.lint), "--config=", "--quiet", "--write-baseline", "all.json", of.file)...)
		for flags, why := range map[string]string{"": "ignored by cupel.yaml:1:20 (per-file-ignores **)", "--config= --baseline all.json": "accepted by the baseline all.json"} {
			suppressed := 0
			list := results(of.lint + " " + flags + " --format sarif " + of.file)
			if len(list) < len(whole) {
				t.Errorf("cupel %s %s: %d results of %d", of.lint, flags, len(list), len(whole))
			}
			for _, r := range list {
				switch {
				case len(r.Suppressions) == 1 && r.Suppressions[0].Kind == "external" && r.Suppressions[0].Justification == why:
					suppressed++
				case flags != "" || r.RuleID == whole[0].RuleID:
					t.Errorf("cupel %s %s: %+v is not suppressed", of.lint, flags, r)
				}
			}
			if suppressed == 0 {
				t.Errorf("cupel %s %s: nothing is suppressed", of.lint, flags)
			}
		}
	}
}
