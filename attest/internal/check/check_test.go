package check_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/attest/internal/attesttest"
	"github.com/cupel-dev/cupel/attest/internal/check"
	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// subjectOf reads a trace for evaluation.
func subjectOf(t *testing.T, text []byte, lax bool) *check.Subject {
	t.Helper()
	doc, err := scan.New(1000, 0).Scan(text)
	if err != nil {
		t.Fatal(err)
	}
	r := trace.Reader{Lax: lax, TraceBytes: 1 << 20, Steps: 1000, OutputChars: 1 << 20, ResultBytes: 1 << 20, SubTraceDepth: 5, Deprecated: func(string) {}}
	read := &trace.Trace{}
	if bad := r.Read(read, doc.Root()); bad != nil {
		t.Fatal(bad.Message)
	}
	s := &check.Subject{}
	s.Reset(read)
	return s
}

func nodeOf(t *testing.T, text string) strictjson.Node {
	t.Helper()
	doc, err := scan.New(1000, 0).Scan([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc.Root()
}

// TestCases evaluates every case of the engine that is about one assertion.
func TestCases(t *testing.T) {
	compiler := check.NewCompiler(check.Options{})
	attesttest.Assertions(t, os.DirFS("../../../testdata/attest/evaluate"), "*.jsonl", func(t *testing.T, text json.RawMessage, c attesttest.Case) {
		s := subjectOf(t, text, c.Options != nil && c.Options.Lax)
		want := c.Wanted(t)
		text = fmt.Appendf(nil, `{"assertion_id":"a1","type":"%s","spec":%s}`, c.Type, c.Spec)
		doc, err := scan.New(1000, 0).Scan(text)
		if err != nil && want.Error != nil {
			return // a number that no scanner takes
		}
		a, problem := compiler.Compile(doc.Root(), nil)
		if problem != nil {
			if want.Error == nil || "assertion 'a1' failed: "+problem.Reason != want.Error.Message || problem.Detail != want.Error.Data.Detail {
				t.Errorf("got %+v, want %s", problem, c.Want)
			}
			return
		}
		for range 2 { // the second time the spec comes from the cache
			a.Prepare(s)
			v := a.Evaluate(t.Context(), s)
			if v.Status(a.Soft) != want.Status || v.Explanation != want.Explanation {
				t.Errorf("got %s %s, want %s", v.Status(a.Soft), v.Explanation, c.Want)
			}
		}
	})
}

// TestAssertions: what an assertion must be before its spec is read.
func TestAssertions(t *testing.T) {
	compiler := check.NewCompiler(check.Options{})
	for text, want := range map[string]string{
		`[]`:                   "must be object, got array",
		`{}`:                   "assertion_id is required",
		`{"assertion_id":"a"}`: "type is required",
		`{"assertion_id":"a","type":"contents","spec":{}}`:               "unknown assertion type 'contents' (did you mean 'content'?)",
		`{"assertion_id":"a","type":"content"}`:                          "spec is required",
		`{"assertion_id":"a","type":"content","spec":[]}`:                "spec field 'spec' must be object, got array",
		`{"assertion_id":"a","type":"content","request_id":1,"spec":{}}`: "spec field 'request_id' must be string, got number",
	} {
		if _, problem := compiler.Compile(nodeOf(t, text), nil); problem == nil || problem.Reason != want {
			t.Errorf("%s: %+v", text, problem)
		}
	}
}

func TestTooLongID(t *testing.T) {
	for length, refused := range map[int]bool{0: false, 256: false, 257: true} {
		id, problem := check.TooLongID(nodeOf(t, fmt.Sprintf(`{"assertion_id":%q}`, strings.Repeat("é", length))))
		if (problem != nil) != refused || refused && len(id) != 2*length {
			t.Errorf("%d code points: %v", length, problem)
		}
	}
}

// TestPlugin checks that the result of a plugin is kept as submitted. Without one the assertion fails, and can pass
// another time.
func TestPlugin(t *testing.T) {
	compiler := check.NewCompiler(check.Options{})
	s := subjectOf(t, []byte(`{"schema_version":1,"trace_id":"t","output":{"m":1}}`), false)
	a, problem := compiler.Compile(nodeOf(t, `{"assertion_id":"a","type":"plugin","spec":{"plugin_id":"p"}}`), nil)
	if problem != nil {
		t.Fatal(problem)
	}
	if v := a.Evaluate(t.Context(), s); v.Status(false) != check.HardFail || v.Status(true) != check.SoftFail || !v.Fleeting {
		t.Errorf("without a result: %+v", v)
	}
	compiler.Plugins().Put("t", "a", "p", check.PluginResult{Status: check.SoftFail, Score: 0.5, Explanation: "so so"})
	if v := a.Evaluate(t.Context(), s); v.Status(false) != check.SoftFail || v.Score != 0.5 || v.Explanation != "so so" {
		t.Errorf("with a result: %+v", v)
	}
}

// echo is a judge that scores every text alike and repeats it.
type echo struct{ score float64 }

func (e echo) Chat(_ context.Context, r model.ChatRequest) (model.ChatReply, error) {
	text := r.Messages[len(r.Messages)-1].Content
	if strings.Contains(text, "trouble") {
		return model.ChatReply{Usage: model.Usage{Cost: 0.5}}, errors.New("nothing to score")
	}
	return model.ChatReply{Text: fmt.Sprintf(`{"score": %v, "reason": %q}`, e.score, r.Model+" says:")}, nil
}

// TestModel: a model is asked once everything has been read from the trace.
func TestModel(t *testing.T) {
	compiler := check.NewCompiler(check.Options{Judge: echo{0.5}})
	for spec, want := range map[string]string{
		`{"rubric":"tone"}`:                             `hard_fail says: Score 0.5 is below threshold 0.7. default`,
		`{"rubric":"tone","model":"m","threshold":0.5}`: `pass m says: Score 0.5 meets threshold 0.5. spec`,
		`{"rubric":"tone","threshold":"dynamic"}`:       `hard_fail says: Score 0.5 is below threshold 0.7. default`,
		`{"rubric":"tone","target":"output.bad"}`:       `hard_fail  judge provider: nothing to score 0.5`,
		`{"rubric":"tone","target":"output.nobody"}`:    `hard_fail output.nobody not found: output has no field 'nobody'; it has message, bad. `,
		`{"rubric":"tone","threshold":2}`:               `threshold must be between 0.0 and 1.0, got 2`,
	} {
		s := subjectOf(t, []byte(`{"schema_version":1,"trace_id":"t","output":{"message":"Done.","bad":"trouble"}}`), false)
		a, problem := compiler.Compile(nodeOf(t, `{"assertion_id":"a","type":"llm_judge","spec":`+spec+`}`), nil)
		if problem != nil {
			if problem.Reason != want {
				t.Errorf("%s: %+v", spec, problem)
			}
			continue
		}
		verdicts := []check.Verdict{a.Evaluate(t.Context(), s)}
		if q := a.Question(s); q != nil {
			s.Reset(nil) // the question needs nothing of it
			verdicts = append(verdicts, q.Ask(t.Context()))
		}
		for _, v := range verdicts {
			got := v.Status(false) + " " + v.Explanation + " " + v.ThresholdSource
			if v.Err != nil {
				got += fmt.Sprint(v.Err, " ", v.Cost)
			}
			if got != want {
				t.Errorf("%s: got %s", spec, got)
			}
		}
		if !a.Costly() {
			t.Errorf("%s costs nothing", spec)
		}
	}
}

// TestTypes: the table of types answers for the layers, the keys and the checks.
func TestTypes(t *testing.T) {
	for _, name := range check.TypeNames() {
		if layer := check.LayerOf(name); layer < 1 || layer > 6 {
			t.Errorf("%s is of layer %d", name, layer)
		}
	}
	if check.LayerOf("other") != 0 || check.KeysOf("other") != nil || check.KeysOf("plugin") == nil {
		t.Error("unknown types have layers or keys, or known ones none")
	}
	if len(check.CallNames()) != 7 || len(check.ContentNames()) != 6 || len(check.TreeNames()) != 13 {
		t.Errorf("checks: %v, %v, %v", check.CallNames(), check.ContentNames(), check.TreeNames())
	}
}
