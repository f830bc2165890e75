package trace_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/trace"
)

// namesCase is one line of names.jsonl: a trace, the findings about the names in it, as "severity line rule path",
// and the parts not verified by its verdict, other than those that no such verdict verifies.
type namesCase struct {
	Name     string
	Lines    []json.RawMessage
	Plan     json.RawMessage
	Aliases  bool
	Findings []string
	Subjects []string // of the sentences: the text before their colon
}

// alwaysOpen are the beginnings of sentences in every report without a plan or evidence.
var alwaysOpen = []string{"who wrote the trace", "that a claim follows", "lifecycle", "the evidence bytes", "the order of steps"}

// TestNames compares what outputs and headers name with what is there.
func TestNames(t *testing.T) {
	text, err := os.ReadFile("../testdata/trace/reasoning/names.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		var c namesCase
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		files := fstest.MapFS{}
		if c.Plan != nil {
			files["plan.json"] = &fstest.MapFile{Data: c.Plan}
		}
		var log strings.Builder
		for _, event := range c.Lines {
			fmt.Fprintf(&log, "%s\n", event)
		}
		opt := trace.Options{Reasoning: trace.ReasoningOptions{Run: files, AcceptAliases: c.Aliases, NoEvidence: true}}
		r := verify(t, []byte(log.String()), opt)
		findings, subjects := []string{}, []string{}
		for _, f := range r.Findings {
			if f.Rule == "ref.output_unknown" || f.Rule == "plan.spec_mismatch" {
				findings = append(findings, fmt.Sprintf("%s %d %s %s", f.Severity, f.Line, f.Rule, f.Path))
			}
		}
		for _, sentence := range r.NotCovered {
			if subject, _, explained := strings.Cut(sentence, ": "); explained && !slices.ContainsFunc(alwaysOpen, func(s string) bool { return strings.HasPrefix(sentence, s) }) {
				subjects = append(subjects, subject)
			}
		}
		if diff := cmp.Diff([][]string{c.Findings, c.Subjects}, [][]string{findings, subjects}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.Name, diff)
		}
		n++
	}
	if n < 20 {
		t.Fatalf("only %d cases", n)
	}
	t.Logf("%d traces", n)
}

// TestNotCoveredOfAnyLayout: what a verdict does not prove is the same of a log in lines
// and in an array. (TestOneReportOnAnything holds it for blocks and workers.)
func TestNotCoveredOfAnyLayout(t *testing.T) {
	compared := 0
	for i, s := range wholeLogs(t) {
		lines := slices.DeleteFunc(strings.Split(s.log, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
		if len(lines) == 0 || slices.ContainsFunc(lines, func(l string) bool { return !json.Valid([]byte(l)) || !strings.HasPrefix(l, "{") }) {
			continue
		}
		opt := s.opt
		if s.files != nil {
			opt.Reasoning.Run = s.files
		}
		want := verify(t, []byte(s.log), opt)
		for round := range 3 {
			layout := layouts(rand.New(rand.NewPCG(uint64(i), uint64(round))), lines)
			layout = strings.TrimPrefix(layout, "\ufeff") // it makes the first of the lines unreadable
			if diff := cmp.Diff(want.NotCovered, verify(t, []byte(layout), opt).NotCovered); diff != "" {
				t.Errorf("%s (-lines +another layout):\n%s", s.name, diff)
			}
			compared++
		}
	}
	if compared < 60 {
		t.Errorf("only %d layouts", compared)
	}
	t.Logf("%d layouts", compared)
}
