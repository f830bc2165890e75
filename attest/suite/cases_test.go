package suite

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/attest"
)

// sideFiles are files next to a suite.
type sideFiles map[string]string

func (f sideFiles) open(name string) (io.ReadCloser, error) {
	text, ok := f[name]
	if !ok {
		return nil, errors.New("no such file")
	}
	return io.NopCloser(strings.NewReader(text)), nil
}

func tracedAs(id, metadata string) attest.TraceText {
	raw := []byte(fmt.Sprintf(`{"schema_version":1,"trace_id":%q,"metadata":%s,"steps":[{"type":"tool_call","name":"pay","args":{"n":1.0}}],"output":{"message":"Done.","n":5}}`, id, metadata))
	return attest.TraceText{Raw: raw, Line: 1, Size: int64(len(raw))}
}

// TestSelector holds which traces a suite or case selects.
func TestSelector(t *testing.T) {
	text := tracedAs("run-7", `{"model":"m1","n":1.50,"tags":["smoke","eu"],"case":"refund"}`)
	for _, c := range []struct {
		traces, name string
		want         bool
	}{
		{`"*"`, "a.json", true},
		{`"*.json"`, "runs/a.json", true},
		{`"runs/*"`, "runs/a.json", true},
		{`"runs/*"`, "./all/runs/a.json", true},
		{`"runs/*"`, "otherruns/a.json", false},
		{`"./runs/a.json"`, "runs/a.json", true},
		{`"a.jsonl"`, "a.jsonl:3", true},
		{`"a.jsonl:3"`, "a.jsonl:3", true},
		{`"a.jsonl:4"`, "a.jsonl:3", false},
		{`"a.jsonl"`, "a.jsonl#4bf92f", true},
		{`"b.json"`, "a.json", false},
		{`{"trace_id": "run-*"}`, "a.json", true},
		{`{"trace_id": "run"}`, "a.json", false},
		{`{"tags": ["eu"]}`, "a.json", true},
		{`{"tags": ["eu", "smoke"]}`, "a.json", true},
		{`{"tags": ["eu", "us"]}`, "a.json", false},
		{`{"metadata": {"model": "m1"}}`, "a.json", true},
		{`{"metadata": {"model": "m2"}}`, "a.json", false},
		{`{"metadata": {"n": 1.5}}`, "a.json", true},
		{`{"metadata": {"n": "1.5"}}`, "a.json", false},
		{`{"metadata": {"absent": null}}`, "a.json", false},
		{`{"metadata": {"model": "m1"}, "path": "b*"}`, "a.json", false},
		{`{"metadata": {"\u006dodel": "\u006d1"}, "path": "a*"}`, "a.json", true},
	} {
		suite := fmt.Sprintf(`{"traces": %s, "assertions": [{"assertion_id":"a","type":"content","spec":{"target":"output.message","check":"contains","value":"done"}}]}`, c.traces)
		file, findings := Parse(attest.NewEngine(attest.Options{}), "s.json", []byte(suite), nil)
		if len(findings) > 0 {
			t.Fatalf("%s: %v", c.traces, findings)
		}
		results, err := file.Evaluate(t.Context(), c.name, text)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(results) == 1; got != c.want {
			t.Errorf("%s selects %s: %v, expected %v", c.traces, c.name, got, c.want)
		}
	}
}

// TestCases holds the assertions that suites with cases evaluate on the trace run-7, and the faults of suites.
func TestCases(t *testing.T) {
	files := sideFiles{
		"cases.csv":   "id,traces,word,n,list\nrun-7,*,Done,5,\"[1]\"\n\"o,ther\",\"{x}\",Paid,6,\"\"\n",
		"cases.jsonl": "{\"id\":\"run-7\",\"word\":\"Done\",\"n\":5}\n\n{\"id\":\"other\",\"word\":\"Paid\",\"n\":6}\n",
		"cases.yaml":  "- {id: run-7, word: Done, n: 5}\n- {id: other, word: Paid, n: 6}\n",
		"cases.json":  `[{"id":"run-7","word":"Done","n":5}]`,
		"bad.csv":     "id,word\nx\n", "bad.json": `{"id":`, "bad.yaml": "a: [", "empty.csv": "", "empty.yaml": "",
		"golden.json": `{"schema":"cupel.trajectory/1","trace":"t","expect":[{"name":"pay","args":{"n":1}}]}`,
		"other.json":  `{"schema":"cupel.trajectory/1","trace":"t","expect":[{"name":"look"}]}`,
		"run.json":    string(tracedAs("good", `{}`).Raw),
		"none.json":   `{"schema_version":1,"trace_id":"x","output":{"message":"."}}`,
	}
	word := "\nassertions:\n- {assertion_id: a, type: content, spec: {target: output.message, check: contains, value: '{{word}}'}}\n" +
		"- {assertion_id: b, type: constraint, spec: {field: output.n, operator: eq, value: '{{ n }}'}}\n"
	calls := "- {assertion_id: c, type: trace, spec: {check: calls, order: strict, golden: %s}}"
	for _, c := range []struct{ name, suite, want string }{
		{"in the suite", "cases: [{id: run-7, word: Done, n: 5.0}, {id: other, word: Paid, n: 6}]" + word, "a[run-7] pass, b[run-7] pass"},
		{"csv", "cases: cases.csv" + word, "a[run-7] pass, b[run-7] pass"},
		{"json lines", "cases: cases.jsonl" + word, "a[run-7] pass, b[run-7] pass"},
		{"yaml", "cases: cases.yaml" + word, "a[run-7] pass, b[run-7] pass"},
		{"json", "cases: cases.json" + word, "a[run-7] pass, b[run-7] pass"},
		{"a value that fails", "cases: [{id: run-7, word: Paid, n: 5}]" + word, "a[run-7] hard_fail, b[run-7] pass"},
		{
			"two cases on one trace", "cases: [{id: x, traces: '*', word: Done, n: 5}, {id: y, traces: {trace_id: 'run*'}, word: done, n: 4}]" + word,
			"a[x] pass, a[y] pass, b[x] pass, b[y] hard_fail",
		},
		{"by metadata.case", "cases: [{id: refund, word: Done, n: 5}]" + word, "a[refund] pass, b[refund] pass"},
		{"within a text", "cases: [{id: run-7, word: on, n: 5}]\nassertions:\n- {assertion_id: a, type: content, spec: {target: output.message, check: contains, value: 'D{{word}}e'}}", "a[run-7] pass"},
		{"a value that holds a variable is not replaced again", "cases: [{id: run-7, word: '{{n}}', n: 5}]\nassertions:\n- {assertion_id: a, type: content, spec: {target: output.message, check: not_contains, value: '{{word}}5'}}", "a[run-7] pass"},
		{"without cases texts stay", "- {assertion_id: a, type: content, spec: {target: output.message, check: not_contains, value: '{{word}}'}}", "a pass"},
		{"golden", fmt.Sprintf(calls, "golden.json"), "c pass"},
		{"golden that differs", fmt.Sprintf(calls, "other.json"), "c hard_fail"},
		{"golden trace", fmt.Sprintf(calls, "run.json"), "c pass"},
		{"golden of a case", "cases: [{id: run-7, file: golden.json}]\nassertions:\n" + fmt.Sprintf(calls, "'{{file}}'"), "c[run-7] pass"},

		{"no such file", "cases: nope.csv" + word, `cannot read the file "nope.csv": no such file`},
		{"ragged csv", "cases: bad.csv" + word, `cannot read the cases in "bad.csv": record on line 2: wrong number of fields`},
		{"broken json", "cases: bad.json" + word, `cannot read the cases in "bad.json": unexpected end of the text`},
		{"broken yaml", "cases: bad.yaml" + word, `cannot read the cases in "bad.yaml": `},
		{"empty csv", "cases: empty.csv" + word, `cannot read the cases in "empty.csv": it has no row of names`},
		{"empty yaml", "cases: empty.yaml" + word, `cannot read the cases in "empty.yaml": it is empty`},
		{"no list", "cases: 5" + word, "cases must be a list with at least one case, or the name of a file with one"},
		{"empty list", "cases: []" + word, "cases must be a list with at least one case, or the name of a file with one"},
		{"no id", "cases: [{word: x}]" + word, `a case must be an object with an "id", a text of at most 100 bytes`},
		{"twice", "cases: [{id: x, n: 1, word: a}, {id: x, n: 1, word: b}]" + word, `two cases have the id "x"`},
		{"reserved", "cases: [{id: x, n: 1, word: a, output: b}]" + word, `a variable cannot be called "output": prompts of judges have that name`},
		{"missing value", "cases: [{id: x, n: 1}]" + word, `case "x" has no value for {{word}}`},
		{"wrong type", "cases: [{id: x, n: one, word: a}]" + word, "assertion 'b[x]' failed: spec field 'value' must be number, got string"},
		{"bad glob", "cases: [{id: x, traces: '[', n: 1, word: a}]" + word, `traces are selected by a glob such as "runs/refund-*.json"`},
		{"unknown selector", "cases: [{id: x, traces: {paht: '*'}, n: 1, word: a}]" + word, `unknown key "paht" in traces`},
		{"empty selector", "cases: [{id: x, traces: {}, n: 1, word: a}]" + word, "traces needs one of path, trace_id, tags, metadata"},
		{"object in a selector", "cases: [{id: x, traces: {metadata: {a: {}}}, n: 1, word: a}]" + word, "metadata.a is compared with a string, number or literal, got object"},
		{"golden and expect", "- {assertion_id: c, type: trace, spec: {check: calls, golden: golden.json, expect: [{name: a}]}}", "a spec has either golden or expect"},
		{"golden number", fmt.Sprintf(calls, "5"), "golden must be the name of a file"},
		{"golden without calls", fmt.Sprintf(calls, "none.json"), `cannot use "none.json" as a golden trajectory: the trace has no calls`},
		{"golden of another format", fmt.Sprintf(calls, "cases.csv"), `cannot use "cases.csv" as a golden trajectory: `},
		{"golden of another check", "- {assertion_id: c, type: trace, spec: {check: required_tools, tools: [a], golden: golden.json}}", `unknown key "golden" in the spec of a trace assertion`},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, findings := Parse(attest.NewEngine(attest.Options{}), "s.yaml", []byte(c.suite), files.open)
			if len(findings) > 0 {
				if !strings.HasPrefix(findings[0].Message, c.want) {
					t.Errorf("finding %q, expected %q", findings[0].Message, c.want)
				}
				return
			}
			results, err := file.Evaluate(t.Context(), "runs/t.json", tracedAs("run-7", `{"case":"refund"}`))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range results {
				got = append(got, r.AssertionID+" "+string(r.Status))
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("%s, expected %s", strings.Join(got, ", "), c.want)
			}
		})
	}
}

// TestNoFiles holds that a caller without files is told so.
func TestNoFiles(t *testing.T) {
	_, findings := Parse(attest.NewEngine(attest.Options{}), "s.yaml", []byte("cases: c.csv\nassertions: []"), nil)
	if len(findings) == 0 || findings[0].Message != `the suite names the file "c.csv", but no files can be read here` {
		t.Errorf("findings: %v", findings)
	}
}

// TestUnmet holds that the order and number of traces do not matter for which cases have none.
func TestUnmet(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var cases, want []string
		met := map[int]int{}
		for i := range 1 + random.IntN(6) {
			cases = append(cases, fmt.Sprintf("{id: c%d}", i))
			if met[i] = random.IntN(3); met[i] == 0 {
				want = append(want, fmt.Sprintf("no trace belongs to case %q", fmt.Sprint("c", i)))
			}
		}
		text := "cases: [" + strings.Join(cases, ", ") + "]\nassertions:\n- {assertion_id: a, type: content, spec: {target: output.message, check: contains, value: done}}"
		file, findings := Parse(attest.NewEngine(attest.Options{}), "s.yaml", []byte(text), nil)
		if len(findings) > 0 {
			t.Fatal(findings)
		}
		counts := map[int]int{}
		for i, n := range met {
			for k := range n {
				results, err := file.Evaluate(t.Context(), fmt.Sprint(k), tracedAs(fmt.Sprint("c", i), `{}`))
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range results {
					counts[r.Case]++
				}
			}
		}
		var got []string
		for _, f := range file.Unmet(counts) {
			got = append(got, f.Message)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%v, expected %v", got, want)
		}
	}
}
