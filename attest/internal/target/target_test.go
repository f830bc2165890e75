package target_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/attest/internal/target"
	"github.com/cupel-dev/cupel/attest/internal/trace"
)

const text = `{"schema_version":1,"trace_id":"t","agent_id":"me","output":{"message":"m","list":[1,2,[3]],"a.b":4,"none":[]},"steps":[
	{"type":"tool_call","name":"search","args":{"q":"x"}},{"type":"tool_call","name":"search","args":{"q":"y","n":1}},
	{"type":"llm_call","name":"it's","result":{"t":"z"}}]}`

func resolver(t *testing.T, text string) *target.Resolver {
	t.Helper()
	doc, err := scan.New(1000, 0).Scan([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r := trace.Reader{TraceBytes: 1 << 20, Steps: 100, OutputChars: 100, ResultBytes: 100, SubTraceDepth: 5}
	tr := &trace.Trace{}
	if bad := r.Read(tr, doc.Root()); bad != nil {
		t.Fatal(bad.Message)
	}
	found := &target.Resolver{}
	found.Reset(tr)
	return found
}

// TestResolve has expressions, and their values or the reason for missing ones.
func TestResolve(t *testing.T) {
	r := resolver(t, text)
	for expression, want := range map[string]string{
		"agent_id":                                  `"me"`,
		"$.output.message":                          `"m"`,
		"output['a.b']":                             `4`,
		` output [ "list" ] [ -1 ] [0] `:            `3`,
		"output.list.1":                             `2`,
		"output.list[*]":                            `1 2 [3]`,
		"steps[1].args.q":                           `"y"`,
		"steps[-1].name":                            `"it's"`,
		"steps[?name=='search'].args.q":             `"x" (1 of 2 matching steps)`,
		"steps[?name=='search'][1].args.q":          `"y"`,
		"steps[?type=='tool_call'][*].args.q":       `"x" "y"`,
		`steps[ ?name == 'it\'s' ].result.t`:        `"z"`,
		"steps[*].name":                             `"search" "search" "it's"`,
		"steps[*].args.n":                           "not found: steps[*] has no field 'args'; it has type, name, result.",
		"metadata.x":                                "not found: the trace has no 'metadata'.",
		"output.mesage":                             "not found: output has no field 'mesage' (did you mean 'message'?).",
		"output.zzz":                                "not found: output has no field 'zzz'; it has message, list, a.b, none.",
		"output.list[7]":                            "not found: output.list has 3 elements and no '[7]'.",
		"output.list.x":                             "not found: output.list has 3 elements and no 'x'.",
		"output.none[0]":                            "not found: output.none is empty.",
		"output.message[0]":                         "not found: output.message is a string, not an array.",
		"output.message.x":                          "not found: output.message is a string and has no field 'x'.",
		"output['a.b'].x":                           "not found: output['a.b'] is a number and has no field 'x'.",
		"steps[3]":                                  "not found: only 3 steps exist.",
		"steps[?name=='search'][2]":                 "not found: only 2 steps match.",
		`steps[?name=="it's"][1]`:                   "not found: only 1 step matches.",
		"steps[?name=='serch'].args":                "not found: no step is named 'serch' (did you mean 'search'?).",
		"steps[?type=='x'].args":                    "not found: no step has type 'x'.",
		"steps[?type=='tool_call'][*].args.missing": "not found: steps[?type=='tool_call'][*].args has no field 'missing'; it has q.",
	} {
		parsed, err := target.Parse(expression)
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		found, missing := parsed.Resolve(r)
		if missing != nil {
			if got := missing.Sentence(); got != expression+" "+want {
				t.Errorf("got %s, want %s %s", got, expression, want)
			}
			continue
		}
		var got []string
		for _, n := range found.Nodes {
			got = append(got, string(n.Raw()))
		}
		if got := strings.Join(got, " ") + found.Note; got != want {
			t.Errorf("%s: got %s, want %s", expression, got, want)
		}
	}
}

// TestResolveSome: values that are not everywhere.
func TestResolveSome(t *testing.T) {
	r := resolver(t, text)
	for expression, want := range map[string]int{"steps[*].args.n": 1, "steps[*].args.q": 2, "steps[*].args.x": 0} {
		parsed, err := target.Parse(expression)
		if err != nil {
			t.Fatal(err)
		}
		found, missing := parsed.ResolveSome(r)
		if (missing == nil) != (want > 0) || len(found.Nodes) != want {
			t.Errorf("%s: %v, %v", expression, found, missing)
		}
	}
}

func TestNoSteps(t *testing.T) {
	r := resolver(t, `{"schema_version":1,"trace_id":"t","output":{"a":1},"steps":[]}`)
	for expression, want := range map[string]string{
		"steps[*]": "steps[*] not found: the trace has no steps.",
		"steps[0]": "steps[0] not found: only 0 steps exist.",
		"steps":    "",
	} {
		parsed, err := target.Parse(expression)
		if err != nil {
			t.Fatal(err)
		}
		if _, missing := parsed.Resolve(r); (missing == nil) != (want == "") || missing != nil && missing.Sentence() != want {
			t.Errorf("%s: %v", expression, missing)
		}
	}
}

// TestParse: what leaves the grammar, and where.
func TestParse(t *testing.T) {
	for expression, want := range map[string]string{
		"":                                    "column 1: expected output, steps, input, metadata or another member of the trace",
		"outputs":                             "column 1: expected 'output'",
		"output.":                             "column 8: expected a field name after '.'",
		"output x":                            "column 1: expected",
		"output[":                             "column 8: expected an index, a quoted name, '*' or a filter '?name=='",
		"output[x]":                           "column 8: expected an index, a quoted name, '*' or a filter '?name=='",
		"output[0":                            "column 9: expected ']'",
		"output['a":                           "column 10: expected a closing ' for the quote of column 8",
		"output[?name=='x']":                  "column 8: expected an index or a name: only steps can be filtered",
		"steps[?nome=='x']":                   "column 8: expected 'name' or 'type'",
		"steps[?name='x']":                    "column 12: expected '=='",
		"steps[?name==x]":                     "column 14: expected a name in quotes",
		"steps[0]x":                           "column 9: expected '.' or '['",
		"output[9999999999999999999999]":      "column 8: expected an index",
		"output." + strings.Repeat("é", 4096): "expected at most 4096 bytes",
	} {
		_, err := target.Parse(expression)
		var bad *target.Error
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %s", expression, err, want)
			continue
		}
		if lines := strings.Split(bad.Caret(), "\n"); len(lines) != 2 || !strings.Contains(lines[1], "^ expected ") {
			t.Errorf("%s: %q", expression, lines)
		}
	}
}

// TestSuggestionsEnd checks the limit on the names that a batch compares for its suggestions.
func TestSuggestionsEnd(t *testing.T) {
	r := resolver(t, text)
	names := make([]string, 10_000)
	for i := range names {
		names[i] = fmt.Sprint("name", i)
	}
	for i := range 8 {
		if got := r.DidYouMean("nane77", names) != ""; got != (i < 5) {
			t.Errorf("suggestion %d: %v", i, got)
		}
	}
}
