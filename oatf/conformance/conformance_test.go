package conformance

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cupel-dev/cupel/oatf"
)

// suites are the available suites: the project's own, and parts of the public ones if present, with the evidence of
// their revision and the number of fixtures that are known to be wrong.
var suites = []struct {
	revision oatf.Revision
	path     string // with a slash in front below CUPEL_VECTORS
	why      string
	faults   int
}{
	{oatf.SDK01, "oatf/conformance", bySDK01, 0},
	{oatf.V202603, "oatf/conformance-2026-03", byV202603, 0},
	{oatf.SDK01, "/oatf/suite", bySDK01, 0},
	{oatf.V202603, "/oatf-2026-03/suite", byV202603, 1},
}

// TestSuites runs every suite under the revision that is recognised: each case holds, except for
// those that are known to be wrong.
func TestSuites(t *testing.T) {
	for _, s := range suites {
		t.Run(s.path, func(t *testing.T) {
			path, public := strings.CutPrefix(s.path, "/")
			root := filepath.Join("..", "..", "testdata", path)
			if public {
				if root = os.Getenv("CUPEL_VECTORS"); root == "" {
					t.Skip("CUPEL_VECTORS is not set: only the project's own cases run")
				}
				root = filepath.Join(root, path)
			}
			told, err := Recognize(t.Context(), os.DirFS(root))
			if err != nil || told != (Recognition{s.revision, s.why}) {
				t.Fatalf("recognised as %+v: %v", told, err)
			}
			cases := run(t, root, told.Revision)
			faults := 0
			for _, c := range cases {
				if c.KnownFault != "" {
					faults++
				}
				if !public {
					exact(t, c)
				}
			}
			if faults != s.faults {
				t.Errorf("%d known faults, expected %d", faults, s.faults)
			}
			if n := entries(t, root); n != len(cases) {
				t.Errorf("%d cases ran, the files have %d", len(cases), n)
			}
		})
	}
}

// entries counts the cases of a suite by the lines of its files: the documents, and the entries
// of lists that are written in block style.
func entries(t *testing.T, root string) (n int) {
	t.Helper()
	for name, file := range filesOf(t, root) {
		if isDocument(name) {
			n++
			continue
		}
		n += strings.Count("\n"+string(file.Data), "\n- ")
	}
	return n
}

// exact expects of an own case that numbers come out as they are spelled.
func exact(t *testing.T, c Case) {
	t.Helper()
	spelled := c.Kind == "primitives/parse-duration" || strings.HasPrefix(c.Got, "error: ") || c.Expected == c.Got
	if strings.HasPrefix(c.Kind, "primitives/") && !spelled {
		t.Errorf("%s %s: expected %s, got %s", c.ID, c.Name, c.Expected, c.Got)
	}
}

// run expects every case of a suite to hold, except for known faults.
func run(t *testing.T, root string, revision oatf.Revision) (cases []Case) {
	t.Helper()
	passed := 0
	err := Run(os.DirFS(root), revision, func(c Case) error {
		cases = append(cases, c)
		if c.Pass {
			passed++
		} else if c.KnownFault == "" {
			t.Errorf("%s:%d: %s %s: expected %s, got %s", c.File, c.Line, c.ID, c.Name, c.Expected, c.Got)
		}
		return nil
	})
	if err != nil || passed == 0 {
		t.Fatalf("%d cases passed: %v", passed, err)
	}
	t.Logf("%d of %d cases passed", passed, len(cases))
	return cases
}

// TestKnownFaults distinguishes a wrong fixture from one with the same id.
func TestKnownFaults(t *testing.T) {
	const server = "oatf: '0.1'\nattack:\n  execution:\n    mode: mcp_server\n    phases:\n      - {name: a, state: {tools: []}, trigger: {event: EVENT}}\n      - {name: b}\n"
	const clients = "notifications/elicitation/complete"
	event := func(name string) string { return strings.ReplaceAll(server, "EVENT", name) }
	const tool = "oatf: '0.1'\nattack:\n  execution:\n    mode: mcp_server\n    state: {tools: [{name: t, description: d}]}\n"
	canonical := func(tool string) string {
		return "oatf: '0.1'\nattack:\n  name: Untitled\n  version: 1\n  status: draft\n  execution:\n    actors:\n      - name: default\n        mode: mcp_server\n        phases:\n          - {name: phase-1, state: {tools: [" + tool + "]}}\n"
	}
	valid, broken := oatf.Object{{Key: "valid", Value: true}}, oatf.Object{{Key: "errors", Value: []oatf.Value{oatf.Object{{Key: "rule", Value: "V-999"}}}}}
	description := func(operator, operand, text string) oatf.Value {
		target := "tools[*].description"
		return oatf.Object{
			{Key: "indicator", Value: oatf.Object{{Key: "surface", Value: "tool_description"}, {Key: "pattern", Value: oatf.Object{
				{Key: "target", Value: target}, {Key: "condition", Value: oatf.Object{{Key: operator, Value: operand}}},
			}}}},
			{Key: "message", Value: oatf.Object{{Key: "tools", Value: []oatf.Value{oatf.Object{{Key: "description", Value: text}}}}}},
		}
	}
	for _, c := range []struct {
		kind, id        string
		input, expected oatf.Value
		known           bool
	}{
		{"validate", "VAL-029d", event(clients), valid, true},
		{"validate", "VAL-029d", event("message/send"), valid, false},
		{"validate", "VAL-029d", event(clients) + "  version: 0\n", valid, false},
		{"validate", "VAL-029d", event(clients), broken, false},
		{"validate", "VAL-029d", "", valid, false},
		{"validate", "VAL-029x", event(clients), valid, false},
		{"normalize", "NORM-001g", tool, canonical("{name: t, description: d}"), true},
		{"normalize", "NORM-001g", tool, canonical("{name: t, description: other}"), false},
		{"normalize", "NORM-001g", tool, canonical("{name: t, description: d, inputSchema: {type: array}}"), false},
		{"normalize", "NORM-001g", "", canonical(""), false},
		{"normalize", "NORM-001x", tool, canonical("{name: t, description: d}"), false},
		{"evaluate", "EVAL-PAT-01", description("contains", "read it", "Please Read it"), "matched", true},
		{"evaluate", "EVAL-PAT-01", description("contains", "read it", "Please write it"), "matched", false},
		{"evaluate", "EVAL-PAT-01", description("starts_with", "read it", "Read it"), "matched", false},
		{"evaluate", "EVAL-PAT-01", description("contains", "read it", "Please Read it"), "error", false},
		{"evaluate", "EVAL-PAT-01", description("regex", "(", "Please Read it"), "matched", false},
		{"evaluate", "EVAL-PAT-01", "x", "matched", false},
		{"evaluate", "EVAL-PAT-02", description("contains", "read it", "Please Read it"), "matched", false},
	} {
		got := Case{ID: c.id}
		got.hold(runnerOf(oatf.SDK01, c.kind+"/suite"), fixture{id: c.id, input: c.input, expected: c.expected, under: oatf.Under(oatf.SDK01)})
		if got.Pass || (got.KnownFault != "") != c.known {
			t.Errorf("%v, expected known %t: %+v", c.input, c.known, got)
		}
	}
}

// TestRunTellsFailures runs fixtures that must not hold, so that a runner that passes
// everything is noticed.
func TestRunTellsFailures(t *testing.T) {
	valid := "oatf: '0.1'\\nattack: {execution: {mode: mcp_server, state: {}}}\\n"
	suite := fstest.MapFS{
		"a/parse/valid/bad.yaml":                    {Data: []byte("x")},
		"a/parse/valid/bad.meta.yaml":               {Data: []byte("x")},
		"a/parse/invalid/good.yml":                  {Data: []byte("oatf: '0.1'\nattack: {execution: {mode: mcp_server, state: {}}}\n")},
		"a/validate/suite.yaml":                     {Data: []byte(`[{id: V1, input: "` + valid + `", expected: {errors: [{rule: V-001}]}}, {id: V2, input: "` + valid + `", expected: {valid: true, warnings: [{rule: W-001, path: oatf}]}}, {id: V3, input: "attack: 1", expected: {valid: true}}, {id: V4, input: "attack: 1", expected: {errors: [{rule: V-037}]}}, {id: V5, input: "x: [", expected: {errors: [{rule: V-001, path: oatf}]}}, {id: V6, input: "oatf: '0.1'\nattack: {version: 0, id: x, execution: {mode: mcp_server, state: {}}}\n", expected: {errors: [{rule: V-037}]}, expected_only: true}, {id: V7, input: "attack: {execution: {mode: a_server, state: {}}}\noatf: '0.1'\n", expected: {warnings: [{rule: W-001}]}, expected_only: true}, {id: V8, input: "oatf: '0.1'\nattack: {version: 0, execution: {mode: mcp_server, state: {}}}\n", expected: {warnings: []}}, {id: V9, input: "oatf: '0.1'\nattack: {version: 0, execution: {mode: mcp_server, state: {}}}\n", expected: {errors: []}}]`)},
		"a/normalize/n.yaml":                        {Data: []byte(`[{id: N1, input: "` + valid + `", expected: "` + valid + `"}, {id: N2, input: "x", expected: ""}]`)},
		"a/roundtrip/r.yaml":                        {Data: []byte(`[{id: R1, input: "x", expected: {identical: true}}]`)},
		"a/primitives/parse-duration.yaml":          {Data: []byte(`[{id: D1, input: "5s", expected: {seconds: 6}}, {id: D2, input: "5s", expected: {error: true}}, {id: D3, input: "x", expected: {seconds: 6}}]`)},
		"a/verdict/all.yaml":                        {Data: []byte(`[{id: VD1, input: {correlation_logic: all, indicators: [{id: a}], verdicts: [{indicator_id: a, result: matched}]}, expected: {result: partial}}, {id: VD2, input: {correlation_logic: all, indicators: [{id: a}], verdicts: [{indicator_id: a, result: matched}]}, expected: {result: exploited, evaluation_summary: {matched: 0, not_matched: 0, error: 0, skipped: 1}}}]`)},
		"a/evaluate/pattern.yaml":                   {Data: []byte(`[{id: E1, input: {indicator: {surface: s, pattern: {target: a, contains: x}}, message: {a: x}}, expected: not_matched}, {id: E2, input: {indicator: {pattern: 1}, message: {}}, expected: error}, {id: E3, input: {indicator: {surface: s, expression: {cel: "1"}}, message: {}}, expected: error, expected_error_kind: cel_error}, {id: E4, input: {indicator: {surface: s, expression: {cel: "true"}}, message: {}, cel_evaluator: absent}, expected: matched}, {id: E5, input: {indicator: {surface: s, semantic: {target: a, intent: i}}, message: {a: x}, semantic_evaluator: {present: true, mock_score: 1}}, expected: skipped}]`)},
		"a/primitives/resolve-simple-path.yaml":     {Data: []byte(`[{id: P1, input: {path: a, value: {a: 1}}, expected: null}, {id: P2, input: {path: a, value: {a: null}}, expected: null}]`)},
		"a/primitives/resolve-wildcard-path.yaml":   {Data: []byte(`[{id: P3, input: {path: a, value: {a: 1}}, expected: {values: []}}, {id: P4, input: {path: "a[0]", value: {a: 1}}, expected: {values: [1]}}, {id: P5, input: {path: "a[0]", value: 1}, expected: error, expected_error_kind: type_error}]`)},
		"a/primitives/evaluate-condition.yaml":      {Data: []byte(`[{id: P6, input: {condition: a, value: a}, expected: false}, {id: P7, input: {condition: {contains: 1}, value: a}, expected: false}]`)},
		"a/primitives/evaluate-predicate.yaml":      {Data: []byte(`[{id: P8, input: {predicate: {a: 1}, value: {a: 1}}, expected: false}, {id: P9, input: {predicate: 1, value: {}}, expected: false}]`)},
		"a/primitives/interpolate-template.yaml":    {Data: []byte(`[{id: P10, input: {template: "{{a}}", extractors: {a: b}}, expected: a}, {id: P11, input: {template: "{{a}}", extractors: {}}, expected: "", expected_diagnostics: []}]`)},
		"a/primitives/interpolate-value.yaml":       {Data: []byte(`[{id: P12, input: {value: ["{{request.a}}"], request: {a: 1}}, expected: [1]}]`)},
		"a/primitives/evaluate-extractor.yaml":      {Data: []byte(`[{id: P24, input: {extractor: {name: x, source: request, type: json_path, selector: $.a}, message: {a: 1}, direction: request}, expected: null}, {id: P25, input: {extractor: {name: x, source: request, type: json_path, selector: $.a}, message: {a: ""}, direction: request}, expected: null}, {id: P26, input: {extractor: {name: x, source: request, type: regex, selector: "("}, message: a, direction: request}, expected: null}]`)},
		"a/primitives/select-response.yaml":         {Data: []byte(`[{id: P13, input: {entries: [{a: 1}], request: {}}, expected: null}, {id: P14, input: {entries: [1], request: {}}, expected: null}]`)},
		"a/primitives/evaluate-trigger.yaml":        {Data: []byte(`[{id: P15, input: {trigger: {after: 1s}, elapsed: 2s}, expected: {result: advanced, reason: event_matched, state: {event_count: 0}}}, {id: P16, input: {trigger: 1, elapsed: 2s}, expected: {result: not_advanced}}, {id: P17, input: {trigger: {event: x}, elapsed: x}, expected: {result: not_advanced}}, {id: P18, input: {trigger: {event: x}, event: {event_type: x}, elapsed: 0s}, expected: {result: advanced, reason: event_matched, state: {event_count: 0}}}]`)},
		"a/primitives/extract-protocol.yaml":        {Data: []byte(`[{id: P19, input: {mode: a_server}, expected: a_server}]`)},
		"a/primitives/parse-event-qualifier.yaml":   {Data: []byte(`[{id: P20, input: {event: "a:"}, expected: {base: a, qualifier: null}}, {id: U2, input: {event: "a:b", mode: x}, expected: {base: a, qualifier: b}}, {id: U3, input: {event: "a:b"}, expected: [a, b]}, {id: U4, input: "a:b", expected: {base: a, qualifier: b}}]`)},
		"a/primitives/resolve-event-qualifier.yaml": {Data: []byte(`[{id: P21, input: {protocol: mcp, base_event: tools/call, content: {params: {name: a}}}, expected: null}, {id: P22, input: {protocol: mcp, base_event: x, content: {}}, expected: ""}]`)},
		"a/primitives/compute-effective-state.yaml": {Data: []byte(`[{id: P23, input: {phases: [{state: {a: 1}}, {state: null}], phase_index: 1}, expected: null}]`)},
		"a/primitives/something-later.yaml":         {Data: []byte(`[{id: U1, input: {a: 1}, expected: [true, null, "<x>", 1.0]}]`)},
		"a/README.md":                               {Data: []byte("x")},
	}
	var ids []string
	err := Run(suite, oatf.SDK01, func(c Case) error {
		ids = append(ids, c.ID)
		if c.Pass || c.Failed() != c.Ran() || c.Expected == c.Got {
			t.Errorf("%+v", c)
		}
		if c.Ran() == strings.HasPrefix(c.ID, "U") {
			t.Errorf("%s ran: %t", c.ID, c.Ran())
		}
		if c.ID == "U1" && (c.Expected != `[true,null,"<x>",1.0]` || c.Got != Unsupported) {
			t.Errorf("%+v", c)
		}
		return nil
	})
	want := strings.Fields("E1 E2 E3 E4 E5 N1 N2 a/parse/invalid/good a/parse/valid/bad P23 P6 P7 P24 P25 P26 P8 P9 P15 P16 P17 P18 P19 " +
		"P10 P11 P12 D1 D2 D3 P20 U2 U3 U4 P21 P22 P1 P2 P3 P4 P5 P13 P14 U1 R1 V1 V2 V3 V4 V5 V6 V7 V8 V9 VD1 VD2")
	if err != nil || !slices.Equal(ids, want) {
		t.Errorf("%v: %v", ids, err)
	}
}

func TestRunRefuses(t *testing.T) {
	none := func(Case) error { return nil }
	if err := Run(fstest.MapFS{"README.md": {}}, "", none); !errors.Is(err, ErrNoCases) {
		t.Errorf("a folder without cases: %v", err)
	}
	for name, text := range map[string]string{
		"not a list": "a: 1", "no id": "[{input: 1, expected: 1}]", "no input": "[{id: x, expected: 1}]", "no YAML": "[",
	} {
		if err := Run(fstest.MapFS{"validate/x.yaml": {Data: []byte(text)}}, "", none); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	stop := errors.New("stop")
	if err := Run(fstest.MapFS{"parse/valid/x.yaml": {}}, "", func(Case) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("an error of report: %v", err)
	}
}

// TestShortened keeps what two long answers do not share, within a bound.
func TestShortened(t *testing.T) {
	long := strings.Repeat("é", longAnswer)
	for _, c := range []struct{ want, got, wantPart, gotPart string }{
		{"a", "b", "a", "b"},
		{long, long, "…é", "…é"},
		{long + "a" + long, long + "b" + long, "éaé", "ébé"},
		{"a" + long, "b", "aé", "b"},
		{long[:longAnswer], "", long[:longAnswer], ""},
	} {
		want, got := shortened(c.want, c.got)
		if !strings.Contains(want, c.wantPart) || !strings.Contains(got, c.gotPart) || max(len(want), len(got)) > longAnswer+len("……") {
			t.Errorf("%.20q, %.20q: %.20q (%d bytes), %.20q (%d bytes)", c.want, c.got, want, len(want), got, len(got))
		}
	}
}

// TestCompareModels: documents differ in what their models say, also where they are written
// alike, and not in the order of keys.
func TestCompareModels(t *testing.T) {
	const text = `{oatf: '0.1', attack: {x-a: 1, x-b: [2], severity: {level: low, confidence: 1}, impact: [data_tampering], execution: {mode: mcp_server, x-c: 3, phases: [
  {state: {a: 1}, extractors: [{name: n, source: request, type: regex, selector: (a)}], trigger: {event: e, count: 2, match: {a: null, b: {gt: 1.5, any_of: [x]}}, after: 5s}, on_enter: [{send: {method: m, params: [1]}}, {own: null}]}]},
  indicators: [{target: a, actor: default, direction: request, method: pattern, tier: t, confidence: 1, pattern: {target: b, condition: {exists: true}}}, {target: c, semantic: {intent: i, threshold: 0.5}}, {target: d, expression: {cel: "true", variables: {v: p}}}]}}`
	parsed := func(text string) *oatf.Document {
		doc, err := oatf.ParseOptions{Revision: oatf.V202603}.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return doc
	}
	want := parsed(text)
	for _, other := range [][2]string{
		{"x-a: 1, x-b: [2], ", "x-b: [2], x-a: 1, "},
		{"confidence: 1, pattern", "pattern"},
		{"target: a", "target: b"},
		{"target: c", "target: ''"},
		{"actor: default", "actor: other"},
		{"direction: request", "direction: response"},
		{"method: pattern, ", ""},
		{"tier: t", "tier: u"},
		{"method: m", "method: n"},
		{"params: [1]", "params: [2]"},
		{"params: [1]", "params: 1"},
		{"own: null", "own: 0"},
		{"a: null", "a: 0"},
		{"gt: 1.5", "gt: 1.25"},
		{"any_of: [x]", "any_of: []"},
		{"threshold: 0.5", "threshold: 0.25"},
		{"v: p", "v: q"},
		{"after: 5s", "after: PT5S"},
		{"x-c: 3", "x-c: 4"},
		{"state: {a: 1}", "state: {}"},
		{"count: 2", "count: 3"},
		{"target: b, ", ""},
		{"exists: true", "exists: false"},
	} {
		changed := strings.Replace(text, other[0], other[1], 1)
		if changed == text {
			t.Fatalf("%s is not there", other[0])
		}
		var c Case
		c.compare(want, parsed(changed))
		if c.Pass != strings.HasPrefix(other[0], "x-a") || c.Pass != (c.Expected == c.Got) {
			t.Errorf("%s instead of %s: %+v", other[1], other[0], c)
		}
	}
}

// FuzzRun runs one fixture of any kind: it may hold or not, or the file be none.
func FuzzRun(f *testing.F) {
	kinds := slices.Sorted(maps.Keys(answers))
	for i := range kinds {
		kinds[i] = "primitives/" + kinds[i]
		f.Add(uint8(i), "{path: 'a[*]', value: {a: [1]}}", "{values: [1]}", "")
	}
	kinds = append(kinds, "verdict/all", "evaluate/pattern", "validate/suite", "normalize/suite", "roundtrip/suite", "primitives/parse-duration")
	f.Add(uint8(len(answers)), "{correlation_logic: all, indicators: [{id: a}], verdicts: [{indicator_id: a, result: matched}]}", "{result: exploited}", "")
	f.Add(uint8(len(answers)+1), "{indicator: {surface: s, pattern: {target: a, contains: x}}, message: {a: x}}", "matched", "type_error")
	f.Add(uint8(len(answers)+1), "{indicator: {surface: s, semantic: {intent: x}}, semantic_evaluator: {present: true, mock_score: 1}}", "matched", "")
	f.Add(uint8(2*len(answers)+7), `{indicator: {target: "a[*]", direction: request, pattern: {condition: {exists: false}}}, message: {a: [{b: 1.0}]}}`, "not_matched", "")
	f.Fuzz(func(t *testing.T, kind uint8, input, expected, errorKind string) {
		under := oatf.Revisions()[int(kind)%len(oatf.Revisions())]
		name := kinds[int(kind)%len(kinds)] + ".yaml"
		text := "- {id: x, input: " + input + ", expected: " + expected + ", expected_error_kind: " + errorKind + "}\n"
		_ = Run(fstest.MapFS{name: {Data: []byte(text)}}, under, func(c Case) error {
			if !c.Ran() && under == oatf.SDK01 || c.Pass && (c.KnownFault != "" || c.Failed()) {
				t.Errorf("%+v", c)
			}
			return nil
		})
	})
}
