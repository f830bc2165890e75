package config

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/keyfile"
	"github.com/cupel-dev/cupel/internal/schemas"
)

// readSchema returns the schema of the file, as a value and ready for use.
func readSchema(t *testing.T) (map[string]any, *jsonschema.Schema) {
	t.Helper()
	text, _ := schemas.Text(schemas.Config)
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("mem:///cupel.yaml", value); err != nil {
		t.Fatal(err)
	}
	return value.(map[string]any), compiler.MustCompile("mem:///cupel.yaml")
}

// TestSchemaKnowsTheKeys holds the schema and the tables of keys together.
func TestSchemaKnowsTheKeys(t *testing.T) {
	root, _ := readSchema(t)
	for path, table := range map[string][]keyfile.Key[Config]{"": keys, "evidence": evidenceKeys, "oatf": oatfKeys, "attest": attestKeys} {
		at := root
		if path != "" {
			at = root["properties"].(map[string]any)[path].(map[string]any)
		}
		var want []string
		for _, k := range table {
			want = append(want, k.Name)
		}
		slices.Sort(want)
		if got := slices.Sorted(maps.Keys(at["properties"].(map[string]any))); !slices.Equal(got, want) {
			t.Errorf("%q: the schema has %v, the reader %v", path, got, want)
		}
		if at["additionalProperties"] != false {
			t.Errorf("%q: the schema takes other keys", path)
		}
	}
}

// TestSchemaAgrees: what the reader accepts the schema accepts, and both refuse the same
// mistakes of keys and of kinds.
func TestSchemaAgrees(t *testing.T) {
	_, schema := readSchema(t)
	for _, c := range []struct {
		text string
		good bool
	}{
		{"", true},
		{"select: [V-, W-001]\nignore:\n  - W-004\nfail-on: warning\nstrict: true\n", true},
		{"exclude: [legacy/**, /a, '*.json']\nper-file-ignores:\n  drafts/: [W-, W-004]\n", true},
		{"evidence:\n  classes:\n    - {type: t, pointer: /data/a, class: public}\n    - {pattern: '[a-z]+', class: forbidden}\n", true},
		{"oatf: {revision: auto}\n", true},
		{"oatf: {revision: 2026-03}\nattest:\n  pairs:\n    - {suite: a.yaml, traces: [t/*.json]}\n", true},
		{"ignroe: [x]\n", false},
		{"select: []\n", false},
		{"select: x\n", false},
		{"select: [[x]]\n", false},
		{"fail-on: [error]\n", false},
		{"fail-on:\n", false},
		{"- a\n", false},
		{"evidence: [x]\n", false},
		{"evidence:\n  clases: []\n", false},
		{"evidence:\n  classes: []\n", false},
		{"evidence:\n  classes: [x]\n", false},
		{"evidence:\n  classes: [{pointr: /data}]\n", false},
		{"oatf: 2026-03\n", false},
		{"oatf: {revison: 2026-03}\n", false},
		{"oatf: {revision: [2026-03]}\n", false},
		{"exclude: legacy\n", false},
		{"exclude: [a, '!b']\n", false},
		{"exclude: [" + strings.Repeat("a", MaxPatternBytes+1) + "]\n", false},
		{"exclude: [" + strings.Repeat("a,", MaxPatterns) + "a]\n", false},
		{"per-file-ignores: [W-]\n", false},
		{"per-file-ignores: {}\n", false},
		{"per-file-ignores: {a: W-}\n", false},
		{"strict: yes\n", false},
		{"strict: 'true'\n", false},
		{"attest: {pair: []}\n", false},
		{"attest: {pairs: []}\n", false},
		{"attest: {pairs: [a]}\n", false},
		{"attest: {pairs: [{suite: a}]}\n", false},
		{"attest: {pairs: [{traces: [a]}]}\n", false},
		{"attest: {pairs: [{suit: a}]}\n", false},
		{"attest: {pairs: [{suite: a, traces: [/b]}]}\n", false},
	} {
		var value any
		if err := yaml.Unmarshal([]byte(c.text), &value); err != nil {
			t.Fatal(err)
		}
		_, read := Parse("c", []byte(c.text))
		if valid := schema.Validate(value); (read == nil) != c.good || (valid == nil) != c.good {
			t.Errorf("%.80q: the reader says %v, the schema %v", c.text, read, valid)
		}
	}
}
