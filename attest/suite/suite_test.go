package suite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/attest/provider"
	"github.com/cupel-dev/cupel/attest/suite"
	"github.com/cupel-dev/cupel/internal/scripted"
)

const doneTrace = `{"schema_version":1,"trace_id":"t","output":{"message":"Done."}}`

// TestRules runs every example of the rule table.
func TestRules(t *testing.T) {
	rules := attest.Rules()
	if len(rules) == 0 {
		t.Fatal("no rules")
	}
	for _, rule := range rules {
		t.Run(rule.ID, func(t *testing.T) {
			triggered := triggered
			if strings.HasPrefix(rule.ID, "cassette.") {
				triggered = recorded(t, rule.Good)
			}
			if got := triggered(rule.Bad); !strings.Contains(got, rule.ID) {
				t.Errorf("the bad example triggers %q", got)
			}
			if got := triggered(rule.Good); got != "" {
				t.Errorf("the good example triggers %q", got)
			}
		})
	}
	t.Logf("%d rules", len(rules))
}

// noJudge does not answer.
type noJudge struct{}

func (noJudge) Chat(context.Context, model.ChatRequest) (model.ChatReply, error) {
	return model.ChatReply{}, errors.New("no answer")
}

// triggered lists the rules that an example breaks.
func triggered(example string) (ids string) {
	e := attest.NewEngine(attest.Options{Judge: noJudge{}})
	if strings.HasPrefix(example, "{") {
		text := attest.TraceText{Raw: []byte(example), Line: 1}
		if refused, ok := errors.AsType[*attest.Error](e.ValidateText(text)); ok {
			return text.Finding("trace.json", refused).Rule
		}
		return ""
	}
	file, findings := suite.Parse(e, "suite.yaml", []byte(example), nil)
	for _, f := range findings {
		ids += f.Rule + " "
	}
	for _, f := range slices.Concat(file.Unavailable(), file.Doubts(), file.Misspelled([]string{"delete_file"})) {
		ids += f.Rule + " "
	}
	if ids != "" {
		return ids
	}
	text := attest.TraceText{Raw: []byte(doneTrace)}
	if strings.Contains(example, "tools: [pay]") { // of an import
		text.Coverage = &attest.Coverage{Lost: []attest.Loss{{What: "calls", Why: "the answer of a model is not recorded"}}}
	}
	results, err := file.Evaluate(context.Background(), "", text)
	if refused, ok := errors.AsType[*attest.Error](err); ok {
		return text.Finding("trace.json", refused).Rule
	}
	soft := 0
	var policy *suite.Policy
	if _, text, given := strings.Cut(example, "# policy: "); given {
		if policy, err = suite.ParsePolicy([]byte(text)); err != nil {
			return err.Error()
		}
	}
	var tally suite.Tally
	for _, r := range results {
		blocks := policy.Blocks(&tally, r.Result)
		if f, failed := r.Finding("trace.json"); failed && file.Suite.MaxSoft == nil && (policy == nil || blocks) {
			ids += f.Rule
		}
		if r.Status == attest.SoftFail {
			soft++
		}
	}
	if f, over := file.OverSoft(soft); over {
		ids += f.Rule
	}
	for _, f := range policy.Broken(tally, 0, 0) {
		ids += f.Rule
	}
	return ids
}

// recorded replays suites from a cassette with what one of them asks for.
func recorded(t *testing.T, example string) func(string) string {
	service, dir := scripted.Start(), t.TempDir()
	defer service.Close()
	play := func(example string, record bool) string {
		c, err := provider.OpenCassette(dir, record)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		judge, err := provider.NewChat(provider.Options{Service: model.Service{BaseURL: service.URL}})
		if err != nil {
			t.Fatal(err)
		}
		defer judge.Close()
		file, findings := suite.Parse(attest.NewEngine(attest.Options{Judge: c.Chat(judge), DerivedDelimiters: true}), "suite.yaml", []byte(example), nil)
		if _, err := file.Evaluate(t.Context(), "", attest.TraceText{Raw: []byte(doneTrace)}); err != nil || len(findings) > 0 {
			t.Fatal(err, findings)
		}
		unused, err := c.Unused()
		if err != nil {
			t.Fatal(err)
		}
		if len(unused) == 0 {
			return ""
		}
		return attest.UnusedRecordings(dir, unused).Rule
	}
	play(example, true)
	return func(example string) string { return play(example, false) }
}

// TestSuites reads every suite of testdata/attest/suite; the file FILE.want lists its
// assertions, or its findings, one per line. UPDATE_CASES=1 writes them.
func TestSuites(t *testing.T) {
	files := caseFiles(t, "../../testdata/attest/suite/*.*")
	read := 0
	for _, path := range files {
		if strings.HasSuffix(path, ".want") {
			continue
		}
		read++
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := describeSuite(t, filepath.Base(path), data)
			if updating() {
				if err := os.WriteFile(path+".want", []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path + ".want")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("want (-), got (+):\n%s", diff)
			}
		})
	}
	if read == 0 {
		t.Fatal("no suites")
	}
	t.Logf("%d suites", read)
}

func describeSuite(t *testing.T, name string, data []byte) string {
	t.Helper()
	e := attest.NewEngine(attest.Options{})
	file, findings := suite.Parse(e, name, data, nil)
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "%s:%d:%d: %s [%s] %s\n", f.File, f.Line, f.Column, f.Message, f.Rule, f.Help)
		fmt.Fprintf(&b, "\t%s\n\t%s%s\n", f.Source.Text, strings.Repeat(" ", f.Source.Caret), strings.Repeat("^", f.Source.Width))
	}
	if len(findings) > 0 {
		return b.String()
	}
	results, err := file.Evaluate(context.Background(), "", attest.TraceText{Raw: []byte(doneTrace)})
	if err != nil {
		t.Fatal(err)
	}
	maxSoft := -1
	if file.Suite.MaxSoft != nil {
		maxSoft = *file.Suite.MaxSoft
	}
	fmt.Fprintf(&b, "%d assertions, max_soft %d\n", file.Len(), maxSoft)
	for _, r := range results {
		fmt.Fprintf(&b, "%s:%d:%d: %s %s %s\n", r.Place.File, r.Place.Line, r.Place.Column, r.AssertionID, r.Status, r.Pointer)
	}
	return b.String()
}

func caseFiles(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files match %s", pattern)
	}
	return files
}

func updating() bool { return os.Getenv("UPDATE_CASES") != "" }
