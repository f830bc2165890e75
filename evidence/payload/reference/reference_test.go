package reference_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence/payload"
	"github.com/cupel-dev/cupel/evidence/payload/reference"
)

func TestFaulty(t *testing.T) {
	for _, c := range []struct {
		eventType, data string
		want            []string
	}{
		{"assay.fs.access", `{"hits":3,"more":{}}`, nil},
		{"assay.fs.access", `{"hits":"3","first_seen":[]}`, []string{"first_seen", "hits"}},
		{"assay.fs.access", `{}`, []string{"hits"}},
		{"assay.fs.access", `[]`, []string{""}},
		{"assay.env.filtered", `{"mode":"m","passed_keys":[1,2],"dropped_keys":[],"counters":{"mode":-1}}`, []string{"counters", "passed_keys"}},
		{"assay.tool.decision", `{"tool":"t","decision":"allow","delegation_depth":1}`, []string{"delegated_from"}},
		{"assay.tool.decision", `{"tool":"t","decision":"allow","tool_definition_source":"mcp.tools/list"}`, []string{"tool_definition_digest"}},
		{"assay.tool.decision", `{"tool":"t","decision":"allow","policy_snapshot_digest":null,"policy_snapshot_schema":null}`, nil},
	} {
		got, err := reference.Engine{}.Faulty(c.eventType, []byte(c.data))
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s %s: %q, %v, want %q", c.eventType, c.data, got, err, c.want)
		}
	}
	if _, err := (reference.Engine{}).Faulty("assay.net.connect", []byte(`{}`)); err == nil || !strings.Contains(err.Error(), "expected one of assay.env.filtered, assay.fs.access") {
		t.Errorf("a type without a schema: %v", err)
	}
	if _, err := (reference.Engine{}).Faulty("assay.fs.access", []byte(`{`)); err == nil {
		t.Error("half a payload is no error")
	}
}

// TestTypes: each type has a schema that names it.
func TestTypes(t *testing.T) {
	types := payload.Types()
	for _, name := range types {
		text, ok := payload.Schema(name)
		if !ok || !strings.Contains(string(text), `"title": "`+name+` payload"`) {
			t.Errorf("%s: %s", name, text)
		}
	}
	if _, ok := payload.Schema("assay.net.connect"); ok || len(types) != 6 {
		t.Errorf("%q", types)
	}
}
