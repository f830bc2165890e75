package suite

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/check"
	"github.com/cupel-dev/cupel/attest/internal/rule"
	"github.com/cupel-dev/cupel/finding"
)

func readSuiteSchema(t *testing.T) map[string]any {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	return doc.(map[string]any)
}

// TestSuiteSchemaKnowsTheKeys holds the schema and the reader together.
func TestSuiteSchemaKnowsTheKeys(t *testing.T) {
	defs := readSuiteSchema(t)["$defs"].(map[string]any)
	keysOf := func(def string) []string {
		properties, _ := defs[def].(map[string]any)["properties"].(map[string]any)
		return slices.Sorted(maps.Keys(properties))
	}
	compare := func(def string, want []string) {
		if want := slices.Sorted(slices.Values(want)); !slices.Equal(keysOf(def), want) {
			t.Errorf("%s: the schema has %v, the reader %v", def, keysOf(def), want)
		}
	}
	compare("suite", suiteKeys)
	compare("assertion", assertionKeys)
	for _, typ := range check.TypeNames() {
		keys := check.KeysOf(typ)
		if typ == "trace" {
			keys = append(slices.Clone(keys), "golden") // the reader replaces it by expect
		}
		compare(typ, keys)
	}
	for name, want := range map[string][]string{"trace": check.CallNames(), "content": check.ContentNames(), "trace_tree": check.TreeNames()} {
		check := defs[name].(map[string]any)["properties"].(map[string]any)["check"].(map[string]any)["enum"].([]any)
		if got := fmt.Sprint(check); got != fmt.Sprint(want) {
			t.Errorf("%s: the schema has the checks %s, the reader %v", name, got, want)
		}
	}
}

// TestSuiteSchemaAgrees validates the suites of the tests: what the reader accepts,
// the schema accepts, and unknown keys and an empty list are refused by both.
func TestSuiteSchemaAgrees(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("mem:///suite.json", readSuiteSchema(t)); err != nil {
		t.Fatal(err)
	}
	schema := compiler.MustCompile("mem:///suite.json")
	files, err := filepath.Glob("../../testdata/attest/suite/*.*")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, "../../testdata/examples/attest/refund-suite.yaml")
	compared := 0
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r := newReader(attest.NewEngine(attest.Options{}), path, data, nil)
		documents := r.documents()
		if strings.HasSuffix(path, ".want") || len(documents) == 0 {
			continue
		}
		for _, doc := range documents {
			r.read(doc)
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc.root.Raw()))
			if err != nil {
				t.Fatal(err)
			}
			compared++
			unknownKey := slices.ContainsFunc(r.findings, func(f finding.Finding) bool { return f.Rule == rule.Table[rule.SuiteKey].ID })
			switch err := schema.Validate(value); {
			case err != nil && len(r.findings) == 0 && r.file.Len() > 0:
				t.Errorf("%s: the reader accepts what the schema refuses: %v", path, err)
			case err == nil && unknownKey:
				t.Errorf("%s: the schema accepts what the reader refuses: %v", path, r.findings)
			}
		}
	}
	if compared == 0 {
		t.Fatal("no suites")
	}
	t.Logf("%d documents", compared)
}

// TestSuiteSchemaTakesVariables holds that a number can be a variable, as for the reader, but not another text.
func TestSuiteSchemaTakesVariables(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("mem:///suite.json", readSuiteSchema(t)); err != nil {
		t.Fatal(err)
	}
	schema := compiler.MustCompile("mem:///suite.json")
	for _, assertion := range []string{
		`type: constraint, spec: {field: output.n, operator: eq, value: N, tolerance: N}`,
		`type: constraint, spec: {field: output.n, operator: between, min: N, max: N}`,
		`type: constraint, spec: {field: output.n, operator: in, values: [N, 1]}`,
		`type: trace, spec: {check: loop_detection, tool: lookup, max_repetitions: N}`,
		`type: trace, spec: {check: calls, expect: [{name: lookup, min: N, max: N}], score: share, threshold: N}`,
		`type: embedding, spec: {target: output.message, reference: fine, threshold: N}`,
		`type: llm_judge, spec: {rubric: safety, threshold: N, samples: N}`,
		`type: trace_tree, spec: {check: delegation_depth, max_depth: N}`,
		`type: trace_tree, spec: {check: aggregate_cost, operator: between, min: N, max: N}`,
		`type: trace_tree, spec: {check: agent_wall_time_under, agent_id: root, max_ms: N}`,
	} {
		for number, fits := range map[string]bool{"1": true, "'{{n}}'": true, "'{{ n }}'": true, "'one'": false, "'{{n}} more'": false} {
			if strings.Contains(assertion, "embedding") && !fits {
				continue // its threshold can be any text in the schema
			}
			text := "cases: [{id: run-7, n: 1}]\nassertions:\n- {assertion_id: a, " + strings.ReplaceAll(assertion, "N", number) + "}\n"
			r := newReader(attest.NewEngine(attest.Options{}), "suite.yaml", []byte(text), nil)
			for _, doc := range r.documents() {
				r.read(doc)
				value, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc.root.Raw()))
				if err != nil {
					t.Fatal(err)
				}
				if err := schema.Validate(value); (err == nil) != fits {
					t.Errorf("%s\nfits the schema: %t, expected %t: %v", text, err == nil, fits, err)
				}
			}
			if fits && len(r.findings) > 0 {
				t.Errorf("%s\nthe reader finds %v", text, r.findings)
			}
		}
	}
}
