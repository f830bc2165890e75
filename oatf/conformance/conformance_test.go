package conformance

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cupel-dev/cupel/oatf"
)

// TestPublicSuite runs the public suite, when it is there.
func TestPublicSuite(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own cases ran")
		return
	}
	run(t, filepath.Join(root, "oatf", "suite"))
}

// TestOwnSuite runs the project's own cases, in the public suite's forms.
func TestOwnSuite(t *testing.T) { run(t, filepath.Join("..", "..", "testdata", "oatf", "conformance")) }

// run expects every case of a suite to hold, but for the kinds that cannot be run yet.
func run(t *testing.T, root string) {
	t.Helper()
	passed, unsupported, faults := 0, 0, 0
	err := Run(os.DirFS(root), func(c Case) error {
		switch {
		case c.Pass:
			passed++
		case !c.Ran():
			unsupported++
		case c.KnownFault != "":
			faults++
		default:
			t.Errorf("%s %s: expected %s, got %s", c.ID, c.Name, c.Expected, c.Got)
		}
		return nil
	})
	if err != nil || passed == 0 {
		t.Fatalf("%d cases passed: %v", passed, err)
	}
	t.Logf("%d cases passed, %d of kinds that cannot be run, %d known faults", passed, unsupported, faults)
}

// TestKnownFaults tells a fixture that is wrong from one that only has its id.
func TestKnownFaults(t *testing.T) {
	const server = "oatf: '0.1'\nattack:\n  execution:\n    mode: mcp_server\n    phases:\n      - {name: a, state: {tools: []}, trigger: {event: EVENT}}\n      - {name: b}\n"
	const clients = "notifications/elicitation/complete"
	event := func(name string) string { return strings.ReplaceAll(server, "EVENT", name) }
	const tool = "oatf: '0.1'\nattack:\n  execution:\n    mode: mcp_server\n    state: {tools: [{name: t, description: d}]}\n"
	canonical := func(tool string) string {
		return "oatf: '0.1'\nattack:\n  name: Untitled\n  version: 1\n  status: draft\n  execution:\n    actors:\n      - name: default\n        mode: mcp_server\n        phases:\n          - {name: phase-1, state: {tools: [" + tool + "]}}\n"
	}
	valid, broken := oatf.Object{{Key: "valid", Value: true}}, oatf.Object{{Key: "errors", Value: []oatf.Value{oatf.Object{{Key: "rule", Value: "V-999"}}}}}
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
	} {
		got := Case{ID: c.id}
		got.hold(runnerOf(c.kind, "suite"), fixture{id: c.id, input: c.input, expected: c.expected})
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
		"a/parse/valid/bad.yaml":            {Data: []byte("x")},
		"a/parse/valid/bad.meta.yaml":       {Data: []byte("x")},
		"a/parse/invalid/good.yml":          {Data: []byte("oatf: '0.1'\nattack: {execution: {mode: mcp_server, state: {}}}\n")},
		"a/validate/suite.yaml":             {Data: []byte(`[{id: V1, input: "` + valid + `", expected: {errors: [{rule: V-001}]}}, {id: V2, input: "` + valid + `", expected: {valid: true, warnings: [{rule: W-001, path: oatf}]}}, {id: V3, input: "attack: 1", expected: {valid: true}}, {id: V4, input: "attack: 1", expected: {errors: [{rule: V-037}]}}, {id: V5, input: "x: [", expected: {errors: [{rule: V-001, path: oatf}]}}]`)},
		"a/normalize/n.yaml":                {Data: []byte(`[{id: N1, input: "` + valid + `", expected: "` + valid + `"}, {id: N2, input: "x", expected: ""}]`)},
		"a/roundtrip/r.yaml":                {Data: []byte(`[{id: R1, input: "x", expected: {identical: true}}]`)},
		"a/primitives/parse-duration.yaml":  {Data: []byte(`[{id: D1, input: "5s", expected: {seconds: 6}}, {id: D2, input: "5s", expected: {error: true}}, {id: D3, input: "x", expected: {seconds: 6}}]`)},
		"a/primitives/something-later.yaml": {Data: []byte(`[{id: U1, input: {a: 1}, expected: [true, null, "<x>", 1.0]}]`)},
		"a/README.md":                       {Data: []byte("x")},
	}
	var ids []string
	err := Run(suite, func(c Case) error {
		ids = append(ids, c.ID)
		if c.Pass || c.Failed() != c.Ran() || c.Expected == c.Got {
			t.Errorf("%+v", c)
		}
		if c.Ran() == (c.ID == "U1") {
			t.Errorf("%s ran: %t", c.ID, c.Ran())
		}
		if c.ID == "U1" && (c.Expected != `[true,null,"<x>",1.0]` || c.Got != Unsupported) {
			t.Errorf("%+v", c)
		}
		return nil
	})
	want := []string{"N1", "N2", "a/parse/invalid/good", "a/parse/valid/bad", "D1", "D2", "D3", "U1", "R1", "V1", "V2", "V3", "V4", "V5"}
	if err != nil || !slices.Equal(ids, want) {
		t.Errorf("%v: %v", ids, err)
	}
}

func TestRunRefuses(t *testing.T) {
	none := func(Case) error { return nil }
	if err := Run(fstest.MapFS{"README.md": {}}, none); !errors.Is(err, ErrNoCases) {
		t.Errorf("a folder without cases: %v", err)
	}
	for name, text := range map[string]string{
		"not a list": "a: 1", "no id": "[{input: 1, expected: 1}]", "no input": "[{id: x, expected: 1}]", "no YAML": "[",
	} {
		if err := Run(fstest.MapFS{"validate/x.yaml": {Data: []byte(text)}}, none); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	stop := errors.New("stop")
	if err := Run(fstest.MapFS{"parse/valid/x.yaml": {}}, func(Case) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("an error of report: %v", err)
	}
}
