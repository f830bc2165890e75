package attest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest"
)

// verdictOf evaluates one check of layer 3 on calls, written as name or name{args}, or name! for one that failed.
func verdictOf(t rapid.TB, spec map[string]any, calls ...string) attest.Result {
	trace := attest.Trace{SchemaVersion: 1, TraceID: "t", Output: map[string]any{"message": "done"}}
	for _, call := range calls {
		name, args, _ := strings.Cut(call, "{")
		step := attest.Step{Type: attest.StepToolCall, Name: strings.TrimSuffix(name, "!"), Args: map[string]any{}}
		if args != "" {
			if err := json.Unmarshal([]byte("{"+args), &step.Args); err != nil {
				t.Fatal(err)
			}
		}
		if strings.HasSuffix(name, "!") {
			step.Metadata = map[string]any{"error": "failed"}
		}
		trace.Steps = append(trace.Steps, step, attest.Step{Type: attest.StepLLMCall, Name: "chat"})
	}
	engine := attest.NewEngine(attest.Options{})
	results, err := engine.Evaluate(context.Background(), trace, []attest.Assertion{{AssertionID: "a", Type: attest.TypeTrace, Spec: spec}})
	if err != nil {
		t.Fatal(err)
	}
	return results[0]
}

// calls returns a spec of the check; expect is its list in JSON.
func calls(expect string, more ...any) map[string]any {
	spec := map[string]any{"check": "calls"}
	var list []any
	if err := json.Unmarshal([]byte("["+expect+"]"), &list); err != nil {
		panic(err)
	}
	spec["expect"] = list
	for i := 0; i+1 < len(more); i += 2 {
		spec[more[i].(string)] = more[i+1]
	}
	return spec
}

// TestPeers: what other tools for evaluations say, said with the check "calls", has their verdict.
func TestPeers(t *testing.T) {
	for _, c := range []struct {
		peer  string
		spec  map[string]any
		calls []string
		pass  bool
	}{
		{"promptfoo trajectory:tool-used", calls(`{"name":"search"},{"name":"book"}`), []string{"book", "search", "x"}, true},
		{"promptfoo trajectory:tool-used, glob", calls(`{"pattern":"refund_*"}`), []string{"refund_order"}, true},
		{"promptfoo not-trajectory:tool-used, glob", calls(`{"pattern":"refund_*","max":0}`), []string{"refund_order"}, false},
		{"promptfoo not-trajectory:tool-used", calls(`{"pattern":"refund*","max":0}`), nil, true},
		{"promptfoo tool-used min max", calls(`{"name":"search","min":1,"max":2}`), []string{"search", "search", "search"}, false},
		{"promptfoo tool-used min max", calls(`{"name":"search","min":1,"max":2}`), []string{"search", "search"}, true},
		{"promptfoo tool-sequence in_order", calls(`{"name":"a"},{"name":"b"}`, "order", "in_order"), []string{"a", "x", "b"}, true},
		{"promptfoo tool-sequence in_order", calls(`{"name":"a"},{"name":"b"}`, "order", "in_order"), []string{"b", "a"}, false},
		{"promptfoo tool-sequence exact", calls(`{"name":"a"},{"name":"b"}`, "order", "strict"), []string{"a", "b"}, true},
		{"promptfoo tool-sequence exact", calls(`{"name":"a"},{"name":"b"}`, "order", "strict"), []string{"a", "x", "b"}, false},
		{"promptfoo tool-args-match partial", calls(`{"name":"f","args":{"o":{"id":1}},"args_mode":"partial"}`), []string{`f{"o":{"id":1,"x":2},"y":3}`}, true},
		{"promptfoo tool-args-match partial, some call", calls(`{"name":"f","args":{"id":2},"args_mode":"partial"}`), []string{`f{"id":1}`, `f{"id":2}`}, true},
		{"promptfoo tool-args-match partial, lists", calls(`{"name":"f","args":{"l":[1]},"args_mode":"partial"}`), []string{`f{"l":[1,2]}`}, false},
		{"promptfoo tool-args-match exact", calls(`{"name":"f","args":{"id":1}}`), []string{`f{"id":1,"x":2}`}, false},
		{"promptfoo tool-args-match exact", calls(`{"name":"f","args":{"id":1}}`), []string{`f{"id":1.0}`}, true},
		{"agentevals strict", calls(`{"name":"a"},{"name":"b"}`, "order", "strict"), []string{"a", "b", "b"}, false},
		{"agentevals unordered", calls(`{"name":"a"},{"name":"b"}`, "extra", "forbid"), []string{"b", "a"}, true},
		{"agentevals unordered", calls(`{"name":"a"},{"name":"b"}`, "extra", "forbid"), []string{"b", "a", "a"}, false},
		{"agentevals unordered, one to one", calls(`{"name":"f"},{"name":"f","args":{"id":1}}`, "extra", "forbid"), []string{`f{"id":1}`, `f{"id":2}`}, true},
		{"agentevals unordered, args ignored", calls(`{"name":"f"},{"name":"f"}`, "extra", "forbid"), []string{`f{"id":1}`, `f{"id":2}`}, true},
		{"agentevals subset", calls(`{"name":"a","min":0},{"name":"b","min":0}`, "extra", "forbid"), []string{"a"}, true},
		{"agentevals subset, no call", calls(`{"name":"a","min":0}`, "extra", "forbid"), nil, true},
		{"agentevals subset", calls(`{"name":"a","min":0}`, "extra", "forbid"), []string{"a", "c"}, false},
		{"agentevals superset", calls(`{"name":"a"}`), []string{"c", "a"}, true},
		{"agentevals superset, twice", calls(`{"name":"a"},{"name":"a"}`), []string{"a"}, false},
		{"agentevals args superset", calls(`{"name":"f","args":{"id":1},"args_mode":"superset"}`), []string{`f{"id":1,"x":2}`}, true},
		{"agentevals args subset", calls(`{"name":"f","args":{"id":1,"x":2},"args_mode":"subset"}`), []string{`f{"id":1}`}, true},
		{"DeepEval ToolCorrectness", calls(`{"name":"a"},{"name":"b"}`, "score", "share", "threshold", 0.5), []string{"a", "x"}, true},
		{"DeepEval ToolCorrectness", calls(`{"name":"a"},{"name":"b"},{"name":"c"}`, "score", "share", "threshold", 0.5), []string{"a"}, false},
		{"DeepEval ToolPermission, allowed", calls(`{"name":"a","min":0},{"name":"b","min":0}`, "extra", "forbid"), []string{"a", "rm"}, false},
		{"DeepEval ToolPermission, denied", calls(`{"name":"rm","max":0}`), []string{"rm"}, false},
		{"ADK EXACT", calls(`{"name":"a","args":{"x":1}},{"name":"b","args":{}}`, "order", "strict"), []string{`a{"x":1}`, "b"}, true},
		{"ADK EXACT", calls(`{"name":"a","args":{"x":1}}`, "order", "strict"), []string{`a{"x":2}`}, false},
		{"ADK IN_ORDER", calls(`{"name":"a","args":{"x":1}},{"name":"b","args":{}}`, "order", "in_order"), []string{`a{"x":0}`, `a{"x":1}`, "c", "b"}, true},
		{"ADK ANY_ORDER", calls(`{"name":"a","args":{"x":1}},{"name":"a","args":{"x":2}}`), []string{`a{"x":2}`, `a{"x":1}`}, true},
		{"each call, if there is any", calls(`{"name":"pay","each":true,"args":{"properties":{"amount":{"maximum":100}}},"args_mode":"schema"}`), nil, true},
		{"each call", calls(`{"name":"pay","each":true,"args":{"properties":{"amount":{"maximum":100}}},"args_mode":"schema"}`), []string{`pay{"amount":5}`, `pay{"amount":500}`}, false},
		{"a failure and a retry", calls(`{"name":"pay","status":"error"},{"name":"pay","status":"ok"}`, "order", "strict"), []string{"pay!", "pay"}, true},
		{"a failure without a retry", calls(`{"name":"pay","status":"ok"}`), []string{"pay!"}, false},
	} {
		if r := verdictOf(t, c.spec, c.calls...); (r.Status == attest.Pass) != c.pass {
			t.Errorf("%s %v: %s, %s", c.peer, c.calls, r.Status, r.Explanation)
		}
	}
}

// TestCallsLaw: the check agrees with one that tries every assignment of calls to expectations.
func TestCallsLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"a", "b", "c"}
		made := rapid.SliceOfN(rapid.SampledFrom(names), 0, 4).Draw(t, "calls")
		patterns := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "?", "*"}), 1, 3).Draw(t, "patterns")
		order := rapid.SampledFrom([]string{"any", "in_order", "strict"}).Draw(t, "order")
		extra := rapid.SampledFrom([]string{"allow", "forbid"}).Draw(t, "extra")
		least := make([]int, len(patterns))
		var expect []string
		for i, p := range patterns {
			least[i] = rapid.IntRange(0, 2).Draw(t, "min")
			expect = append(expect, fmt.Sprintf(`{"pattern":%q,"min":%d}`, p, least[i]))
		}
		want := assigned(made, patterns, least, order, order == "strict" || extra == "forbid", make([]int, len(patterns)), 0)
		if r := verdictOf(t, calls(strings.Join(expect, ","), "order", order, "extra", extra), made...); (r.Status == attest.Pass) != want {
			t.Fatalf("%v against %v %s %s: %s, want %v", made, expect, order, extra, r.Explanation, want)
		}
	})
}

// assigned tries every assignment: each call belongs to one expectation, or to none where extra ones are allowed.
func assigned(made, patterns []string, least []int, order string, forbid bool, used []int, last int) bool {
	if len(made) == 0 {
		for i := range least {
			if used[i] < least[i] || forbid && used[i] > max(least[i], 1) {
				return false
			}
		}
		return true
	}
	if !forbid && assigned(made[1:], patterns, least, order, forbid, used, last) {
		return true
	}
	for i, p := range patterns {
		if p != "*" && p != "?" && p != made[0] || order != "any" && i < last {
			continue
		}
		used[i]++
		if assigned(made[1:], patterns, least, order, forbid, used, i) {
			used[i]--
			return true
		}
		used[i]--
	}
	return false
}
