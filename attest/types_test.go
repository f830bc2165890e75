package attest_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/attesttest"
)

// TestRoundTrip: a trace and its assertions that were read into Go types and written again
// have the results that they had before.
func TestRoundTrip(t *testing.T) {
	attesttest.Assertions(t, os.DirFS(evaluateCases), "*.jsonl", func(t *testing.T, trace json.RawMessage, c attesttest.Case) {
		raw := join(`{"trace":`, trace, `,"assertions":[{"assertion_id":"a1","type":"`, c.Type, `","spec":`, c.Spec, `}]}`)
		var typed struct {
			Trace      attest.Trace       `json:"trace"`
			Assertions []attest.Assertion `json:"assertions"`
		}
		if err := json.Unmarshal(raw, &typed); err != nil {
			return // a value of another type than the protocol's; the engine says so better
		}
		results, err := engineFor(c.Options).Evaluate(t.Context(), typed.Trace, typed.Assertions)
		want := c.Wanted(t)
		if want.Error != nil || err != nil {
			if want.Error == nil || err == nil || err.Error() != want.Error.Message {
				t.Errorf("got %v, want %+v", err, want)
			}
			return
		}
		if string(results[0].Status) != want.Status || !sameLetters(results[0].Explanation, want.Explanation) {
			t.Errorf("\n got %s %s\nwant %s %s", results[0].Status, results[0].Explanation, want.Status, want.Explanation)
		}
	})
}

// sameLetters reports whether sentences differ in the order of their letters at most: the
// members of a Go map come in the order of their names.
func sameLetters(a, b string) bool {
	return slices.Equal(slices.Sorted(slices.Values([]byte(a))), slices.Sorted(slices.Values([]byte(b))))
}

const wholeTrace = `{"schema_version":1,"trace_id":"trc_1","agent_id":"a","input":{"user_message":"<hi> & 9007199254740993"},` +
	`"steps":[{"type":"llm_call","name":"think","args":{},"result":{"tokens":1.50},"metadata":{"duration_ms":12}},` +
	`{"type":"agent_call","name":"delegate","sub_trace":{"schema_version":1,"trace_id":"trc_2","output":{"done":true},"parent_trace_id":"trc_1"}}],` +
	`"output":{"message":"m","n":1e2},"metadata":{"cost_usd":0.10},"parent_trace_id":"trc_0"}`

// TestTraceJSON: reading and writing are inverse, to the byte where nothing is spelled in
// two ways.
func TestTraceJSON(t *testing.T) {
	for _, text := range []string{
		wholeTrace,
		`{"schema_version":0,"trace_id":"","steps":[],"output":null}`,
		`{"schema_version":1,"trace_id":"t","input":{},"output":{"x":[null,{"b":"\u2028"}]}}`,
	} {
		var trace attest.Trace
		if err := json.Unmarshal([]byte(text), &trace); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(trace)
		if err != nil {
			t.Fatal(err)
		}
		var back attest.Trace
		if err := json.Unmarshal(again, &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(trace, back); diff != "" {
			t.Error(diff)
		}
		plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(again))
		if plain != text {
			t.Errorf("\n got %s\nwant %s", plain, text)
		}
	}
}

// TestJSONNames: names are compared exactly, the last of a repeated one counts, and what
// has another type is named.
func TestJSONNames(t *testing.T) {
	var trace attest.Trace
	if err := json.Unmarshal([]byte(`{"Trace_ID":"x","trace_id":"a","trace_id":"b","agent_id":null,"more":1}`), &trace); err != nil || trace.TraceID != "b" {
		t.Errorf("%+v, %v", trace, err)
	}
	for text, want := range map[string]string{
		`{"steps":[{"name":5}]}`: "steps: name: json: cannot unmarshal number into Go value of type string",
		`{"output":[]}`:          "output: json: cannot unmarshal array into Go value of type map[string]interface {}",
	} {
		if err := json.Unmarshal([]byte(text), &trace); err == nil || err.Error() != want {
			t.Errorf("%s: %v", text, err)
		}
	}
	if json.Unmarshal([]byte(`[]`), &trace) == nil {
		t.Error("a list is a trace")
	}
}

// TestSuiteJSON: a suite of JSON is a value, and says whether results hold it.
func TestSuiteJSON(t *testing.T) {
	const text = `{"name":"n","description":"d","max_soft":1,"assertions":[{"assertion_id":"a","type":"content","request_id":"r","spec":{"value":1.0},"tags":["x"],"description":"e"}]}`
	var suite attest.Suite
	if err := json.Unmarshal([]byte(text), &suite); err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(suite); err != nil || string(again) != text {
		t.Errorf("%s, %v", again, err)
	}
	hard, soft, skipped := attest.Result{Status: attest.HardFail}, attest.Result{Status: attest.SoftFail}, attest.Result{Status: attest.SoftFail, Skipped: true}
	for _, c := range []struct {
		results []attest.Result
		holds   bool
	}{
		{nil, true},
		{[]attest.Result{soft, skipped, {Status: attest.Pass}}, true},
		{[]attest.Result{soft, soft}, false},
		{[]attest.Result{hard}, false},
	} {
		if got := suite.Holds(c.results); got != c.holds {
			t.Errorf("%v: %v", c.results, got)
		}
	}
	if !(attest.Suite{}).Holds([]attest.Result{soft, soft}) {
		t.Error("a suite without max_soft bounds soft failures")
	}
}

func TestLayers(t *testing.T) {
	var layers []int
	for _, typ := range []attest.AssertionType{
		attest.TypeSchema, attest.TypeConstraint, attest.TypeTrace, attest.TypeContent, attest.TypeEmbedding, attest.TypeLLMJudge,
		attest.TypeTraceTree, attest.TypePlugin, "other",
	} {
		layers = append(layers, typ.Layer())
	}
	if !slices.Equal(layers, []int{1, 2, 3, 4, 5, 6, 3, 4, 0}) {
		t.Error(layers)
	}
}

// TestValuesWithoutJSON: what JSON cannot hold is an error, not a result.
func TestValuesWithoutJSON(t *testing.T) {
	e := attest.NewEngine(attest.Options{})
	bad := attest.Assertion{AssertionID: "a", Type: attest.TypeContent, Spec: map[string]any{"target": func() {}}}
	if _, err := e.Evaluate(t.Context(), done, []attest.Assertion{bad}); err == nil || protocolError(err) != nil {
		t.Errorf("Evaluate: %v", err)
	}
	if _, err := e.Prepare(bad); err == nil || protocolError(err) != nil {
		t.Errorf("Prepare: %v", err)
	}
	if _, err := e.Prepare(attest.Assertion{Type: attest.TypeContent, Spec: map[string]any{}}); err == nil || err.Error() != "assertion at index 0 failed: assertion_id is required" {
		t.Errorf("Prepare: %v", err)
	}
	if _, err := e.PrepareJSON([]byte("{"), 3); protocolError(err) == nil || protocolError(err).Code != attest.CodeParse {
		t.Errorf("PrepareJSON: %v", err)
	}
	prepared, err := e.Prepare(contains("a", "done", false))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.EvaluatePrepared(t.Context(), attest.TraceText{Raw: []byte("{}")}, []attest.Prepared{prepared}); protocolError(err) == nil {
		t.Errorf("EvaluatePrepared: %v", err)
	}
}
