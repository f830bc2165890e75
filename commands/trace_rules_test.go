package commands_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/checkpoint"
	"github.com/cupel-dev/cupel/trace"
)

// TestTraceRuleExamples runs the examples of every rule as run directories: the bad one triggers the rule and makes the trace what the rule's class
// says, the good one is valid and does not trigger it.
func TestTraceRuleExamples(t *testing.T) {
	rules := slices.Concat(trace.Rules(), checkpoint.Rules())
	for _, r := range rules {
		t.Run(r.ID, func(t *testing.T) {
			if r.ID == "checkpoint.proof" {
				checkProofExamples(t, r)
				return
			}
			bad, good := runExample(t, r.Bad), runExample(t, r.Good)
			want := "valid"
			if strings.HasPrefix(r.ID, "transcript.") {
				want = "consistent"
			}
			fine := want
			if r.Severity == finding.Error {
				want = r.Class
			}
			if bad.Verdict != want || !bad.reports(r.ID, r.Severity.String()) {
				t.Errorf("bad example: %s, want %s with %s; reported %+v", bad.Verdict, want, r.ID, bad.Findings)
			}
			if good.Verdict != fine || good.reports(r.ID, "") {
				t.Errorf("good example: %s, want %s without %s; reported %+v", good.Verdict, fine, r.ID, good.Findings)
			}
		})
	}
	if len(rules) == 0 {
		t.Fatal("no rules")
	}
	t.Logf("%d rules, each with a bad and a good example", len(rules))
}

// checkProofExamples checks the proofs in the examples of a rule.
func checkProofExamples(t *testing.T, r finding.Rule) {
	t.Helper()
	for example, want := range map[string]int{r.Bad: 1, r.Good: 0} {
		dir := t.TempDir()
		flags, _, _ := unpackExample(t, dir, example)
		var stderr strings.Builder
		code := commands.Main(commands.Env{
			Context: t.Context(), Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &stderr, Getenv: func(string) string { return "" },
		}, slices.Concat([]string{"cupel", "trace", "prove"}, flags))
		if code != want || strings.Contains(stderr.String(), "["+r.ID+"]") != (want == 1) {
			t.Errorf("exit code %d, want %d: %s", code, want, stderr.String())
		}
	}
}

func (in traceInput) reports(rule, severity string) bool {
	return slices.ContainsFunc(in.Findings, func(f reportedFinding) bool {
		return f.Rule == rule && (severity == "" || f.Severity == severity)
	})
}

// runExample unpacks an example into a folder and verifies it.
func runExample(t *testing.T, example string) traceInput {
	t.Helper()
	if strings.TrimSpace(example) == "" {
		t.Fatal("the rule has no example")
	}
	dir := t.TempDir()
	flags, ending, earlier := unpackExample(t, dir, example)
	if ending != "" {
		return followExample(t, dir, ending, earlier)
	}
	doc, _ := runTrace(t, slices.Concat([]string{"cupel", "trace", "verify", "--allow-empty", "--format", "json"}, flags, []string{filepath.Join(dir, "trace.jsonl")}))
	if doc.Status != "ok" || len(doc.Inputs) == 0 {
		t.Fatalf("status %q, %d inputs", doc.Status, len(doc.Inputs))
	}
	return doc.Inputs[len(doc.Inputs)-1]
}

// followExample follows the earlier file of an example until trace.jsonl takes its name,
// or its place. It returns the report on trace.jsonl.
func followExample(t *testing.T, dir, ending, earlier string) traceInput {
	t.Helper()
	now, err := os.ReadFile(filepath.Join(dir, "trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(dir, "log.jsonl")
	err = os.Rename(filepath.Join(dir, earlier), log)
	f := follow(t, dir, "--format", "json")
	defer f.stop()
	if ending == "rotated" {
		err = errors.Join(err, os.Remove(log))
	}
	if err = errors.Join(err, os.WriteFile(log, now, 0o666)); err != nil {
		t.Fatal(err)
	}
	f.look()
	f.end()
	var doc traceDocument
	if err := json.Unmarshal([]byte(f.out.String()), &doc); err != nil || len(doc.Inputs) != 2 {
		t.Fatalf("%v in\n%s", err, f.out.String())
	}
	return doc.Inputs[1]
}

// unpackExample writes the files of an example and returns its flags; of a log that is
// followed, how the log before it ended and where that is.
func unpackExample(t *testing.T, dir, example string) (flags []string, ending, earlier string) {
	t.Helper()
	archive := txtar.Parse([]byte(example))
	if len(archive.Files) == 0 {
		archive = &txtar.Archive{Files: []txtar.File{{Name: "trace.jsonl", Data: []byte(example)}}}
	}
	for _, f := range archive.Files {
		writeFile(t, filepath.Join(dir, f.Name), f.Data)
	}
	for line := range strings.Lines(string(archive.Comment)) {
		word, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "# "), " ")
		switch word {
		case "flags:":
			for flag := range strings.FieldsSeq(rest) {
				if file, ok := strings.CutPrefix(flag, "./"); ok {
					flag = filepath.Join(dir, file)
				}
				flags = append(flags, flag)
			}
		case "rotated", "rewritten":
			return nil, word, rest
		case "unquote":
			path := filepath.Join(dir, rest)
			literal, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			data, err := strconv.Unquote(strings.TrimSpace(string(literal)))
			if err != nil {
				t.Fatalf("%s: %v", rest, err)
			}
			writeFile(t, path, []byte(data))
		case "symlink":
			name, target, _ := strings.Cut(rest, " -> ")
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(target, path); err != nil {
				t.Fatal(err)
			}
		default:
			t.Fatalf("unknown line in an example: %q", line)
		}
	}
	return flags, "", ""
}

func writeFile(tb testing.TB, path string, data []byte) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		tb.Fatal(err)
	}
}
