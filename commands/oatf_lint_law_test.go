package commands_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/internal/racetest"
)

// lintDocument is what `oatf lint --format json` says.
type lintDocument struct {
	Findings []map[string]any `json:"findings"`
	Files    []lintedInput    `json:"files"`
}

type lintedInput struct {
	File     string `json:"file"`
	Errors   int    `json:"errors"`
	Warnings int    `json:"warnings"`
	Omitted  int    `json:"findings_omitted"`
}

func runLint(t *testing.T, args ...string) (out string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = commands.Main(commands.Env{
		Context: context.Background(), Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		Getenv: func(string) string { return "" },
	}, append([]string{"cupel", "oatf", "lint", "--strict"}, args...))
	if stderr.Len() > 0 {
		t.Fatalf("%q: %s", args, stderr.String())
	}
	return stdout.String(), code
}

func lintJSON(t *testing.T, args ...string) (doc lintDocument, code int) {
	t.Helper()
	out, code := runLint(t, append([]string{"--format", "json"}, args...)...)
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	doc.Findings = slices.DeleteFunc(doc.Findings, func(f map[string]any) bool { return f["repeats"] != nil })
	return doc, code
}

// crowded are documents with many findings of every kind, in an order that is not that of
// the rules.
func crowded(t *testing.T) map[string]string {
	list := map[string]string{
		"lint.yaml": `oatf: "0.1"
attack:
  created: 31 January
  modified: yesterday
  impact: [data_exfiltration, data_exfiltration]
  execution: {mode: mcp_server, state: {}}
  indicators:
    - {surface: tool_response, semantic: {intent: a, examples: {positive: [], negative: []}}}
    - {surface: tool_respons, pattern: {contains: a}}
`,
		"many.yaml": "oatf: \"0.1\"\nattack:\n  execution: {mode: mcp_server, state: {}}\n  zzz: 1\n  indicators:\n" +
			strings.Repeat("    - {surface: nothing, pattern: {regex: \"(\"}}\n    - {surface: 7, x-a: &a 1, wrong: 1}\n", 12),
	}
	for i, c := range oatftest.Cases[struct{ Input string }](t, os.DirFS("../testdata/oatf"), "validate.yaml") {
		list[fmt.Sprintf("case%d.yaml", i)] = c.Input
	}
	return list
}

// TestLintFirstFindings holds that --max-findings shows the first findings of a document
// and counts the rest, whatever the number, the number of workers and the way the file is
// named, and in every format.
func TestLintFirstFindings(t *testing.T) {
	documents, dir := crowded(t), t.TempDir()
	t.Chdir(dir)
	runs, step := 0, racetest.Step(t)
	for name, text := range documents {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		all, code := lintJSON(t, name)
		for most := 1; most <= len(all.Findings)+1; most += step {
			runs++
			limit := fmt.Sprintf("--max-findings=%d", most)
			got, gotCode := lintJSON(t, limit, "--jobs", fmt.Sprint(most%4+1), []string{name, "./" + name, filepath.Join(dir, name)}[most%3])
			checkFirst(t, all, got, min(most, len(all.Findings)))
			if gotCode != code {
				t.Errorf("%s %s: exit code %d, expected %d", name, limit, gotCode, code)
			}
			if most <= 2 {
				checkFirstFormats(t, all, limit, most, name)
			}
		}
	}
	t.Logf("%d runs", runs)
}

func checkFirst(t *testing.T, all, got lintDocument, most int) {
	t.Helper()
	more := len(all.Findings) - most
	file := got.Files[0]
	file.File = all.Files[0].File
	want := all.Files[0]
	want.Omitted = more
	if file != want {
		t.Errorf("%s: %+v, expected %+v", want.File, file, want)
	}
	shown := []map[string]any{}
	stands := 0.0
	for _, f := range got.Findings {
		if n, ok := f["omitted"].(float64); ok && strings.HasSuffix(f["message"].(string), fmt.Sprintf("the limit is %d", most)) {
			stands += n
			continue
		}
		shown = append(shown, f)
	}
	if stands != float64(more) {
		t.Errorf("%s: a finding stands for %v others, expected %d", want.File, stands, more)
	}
	for _, f := range slices.Concat(shown, all.Findings) {
		delete(f, "file")
	}
	if diff := cmp.Diff(all.Findings[:most], shown); diff != "" {
		t.Errorf("%s, the first %d: -want +got\n%s", want.File, most, diff)
	}
}

// checkFirstFormats looks for the messages of the findings in the other formats.
func checkFirstFormats(t *testing.T, all lintDocument, limit string, most int, name string) {
	t.Helper()
	for _, format := range []string{"text", "short", "jsonl", "sarif", "github", "junit", "gitlab", "checkstyle", "tap"} {
		out, _ := runLint(t, limit, "--format", format, name)
		if says := strings.Contains(out, "not shown: the limit is"); says != (len(all.Findings) > most) {
			t.Errorf("%s as %s says of more findings: %v", name, format, says)
		}
		if format == "short" && strings.Count(out, "]\n") != min(most+1, len(all.Findings)) {
			t.Errorf("%s as short:\n%s", name, out)
		}
	}
}

// TestLintIgnoresBeforeItCounts holds that findings that the flags leave out take no room,
// and that more of them than are looked at hide no error.
func TestLintIgnoresBeforeItCounts(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, repeated := range []int{1, 6000} {
		var b strings.Builder
		b.WriteString("oatf: \"0.1\"\nattack:\n  execution: {mode: mcp_server, state: {}}\n")
		for i := range repeated {
			fmt.Fprintf(&b, "  unknown%d: 1\n", i)
		}
		b.WriteString("  status: none\n")
		if err := os.WriteFile("a.yaml", []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		doc, code := lintJSON(t, "--max-findings=1", "--ignore=P-002", "a.yaml")
		if code != 1 || len(doc.Findings) == 0 {
			t.Errorf("%d unknown keys: exit code %d, %v", repeated, code, doc)
		}
	}
}
