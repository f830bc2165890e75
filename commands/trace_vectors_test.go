package commands_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/commands"
)

// expectation is a vector's expected.json.
type expectation struct {
	Class         string
	Trace         string
	Plan          string
	Findings      []expectedFinding
	MayAlsoReport []string `json:"may_also_report"`
}

type expectedFinding struct {
	Code     string
	Severity string
	Line     int
	Idx      *int64
	Path     string
}

// traceDocument is the part of cupel.trace/1 that the vectors speak of.
type traceDocument struct {
	Status string
	Inputs []traceInput
}

type traceInput struct {
	Verdict  string
	Findings []reportedFinding
}

type reportedFinding struct {
	Rule, Severity, Path, Message string
	Line                          int
	Index                         *int64
}

// TestReasoningVectors runs the shared vectors of reasoning traces through the command
// line: the class must be equal, every expected finding reported, and nothing else at
// severity error.
func TestReasoningVectors(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own testdata ran")
		return
	}
	ran := 0
	for _, kind := range []string{"reasoning", "flat"} {
		folder := copyVectors(t, filepath.Join(root, kind))
		cases, err := filepath.Glob(filepath.Join(folder, "*", "expected.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range cases {
			ran++
			t.Run(kind+"/"+filepath.Base(filepath.Dir(path)), func(t *testing.T) { runTraceVector(t, filepath.Dir(path)) })
		}
	}
	if ran == 0 {
		t.Fatalf("no vectors in %s", root)
	}
	t.Logf("%d reasoning vectors ran through the command line", ran)
}

// linkText begins the content of a file that replaces a symbolic link.
const linkText = "../../shared/"

// copyVectors copies a folder of vectors and turns link texts into links.
func copyVectors(t *testing.T, from string) string {
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	stand, err := filepath.Glob(filepath.Join(to, "*", "evidence", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range stand {
		target, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.HasPrefix(target, []byte(linkText)) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join("..", string(target)), path); err != nil {
				t.Fatal(err)
			}
		}
	}
	return to
}

func runTraceVector(t *testing.T, dir string) {
	var want expectation
	readJSON(t, filepath.Join(dir, "expected.json"), &want)
	args := []string{"cupel", "trace", "verify", "--format", "json", filepath.Join(dir, want.Trace)}
	got, code := runTrace(t, args)
	if len(got.Inputs) != 1 || got.Status != "ok" {
		t.Fatalf("status %q, %d inputs", got.Status, len(got.Inputs))
	}
	in := got.Inputs[0]
	wantCode := 1
	if want.Class == "valid" {
		wantCode = 0
	}
	if in.Verdict != want.Class || code != wantCode {
		t.Errorf("verdict %s, exit code %d; want %s, %d", in.Verdict, code, want.Class, wantCode)
	}
	allowed := slices.Clone(want.MayAlsoReport)
	for _, f := range want.Findings {
		allowed = append(allowed, f.Code)
		if !slices.ContainsFunc(in.Findings, f.matches) {
			t.Errorf("not reported: %s line %d path %q", f.Code, f.Line, f.Path)
		}
	}
	for _, f := range in.Findings {
		if f.Severity == "error" && !slices.Contains(allowed, f.Rule) {
			t.Errorf("not expected: %s line %d path %q: %s", f.Rule, f.Line, f.Path, f.Message)
		}
	}
	if t.Failed() {
		t.Logf("reported: %+v", in.Findings)
	}
}

func (want expectedFinding) matches(got reportedFinding) bool {
	severity := want.Severity
	switch severity {
	case "":
		severity = got.Severity
	case "warn":
		severity = "warning"
	}
	return got.Rule == want.Code && got.Severity == severity &&
		(want.Line == 0 || got.Line == want.Line) &&
		(want.Idx == nil || got.Index != nil && *got.Index == *want.Idx) &&
		(want.Path == "" || got.Path == want.Path)
}

// runTrace runs a command line in-process and decodes its JSON document.
func runTrace(t *testing.T, args []string) (doc traceDocument, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = commands.Main(commands.Env{
		Context: context.Background(), Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		Getenv: func(string) string { return "" },
	}, args)
	if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil {
		t.Fatalf("%v: %v\n%s\n%s", args, err, stdout.Bytes(), stderr.Bytes())
	}
	return doc, code
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}
