package reference_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/cupel-dev/cupel/evidence/payload"
	"github.com/cupel-dev/cupel/evidence/payload/internal/schemas"
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

// TestAnotherLibrary validates with a third library that shares no code with the other two:
// the schemas are what draft-07 says, not what one reader makes of it.
func TestAnotherLibrary(t *testing.T) {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	compiled := map[string]*jsonschema.Schema{}
	for _, name := range schemas.Names() { // the others have no second engine
		text, _ := payload.Schema(name)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err == nil {
			err = c.AddResource(name+".json", doc)
		}
		if err == nil {
			compiled[name], err = c.Compile(name + ".json")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	validated := 0
	for _, r := range payload.Rules() {
		for line := range strings.Lines(r.Bad + "\n" + r.Good) {
			var event struct {
				Type string
				Data json.RawMessage
			}
			if json.Unmarshal([]byte(line), &event) != nil || compiled[event.Type] == nil || event.Data == nil {
				continue
			}
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(event.Data))
			if err != nil {
				t.Fatal(err)
			}
			faulty, err := reference.Engine{}.Faulty(event.Type, event.Data)
			if other := compiled[event.Type].Validate(doc); err != nil || (other == nil) != (len(faulty) == 0) {
				t.Errorf("%s: %q, %v; the other library says %v", line, faulty, err, other)
			}
			validated++
		}
	}
	if validated < 100 {
		t.Errorf("%d payloads", validated)
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
	if _, ok := payload.Schema("com.example.x"); ok || len(types) < 15 {
		t.Errorf("%q", types)
	}
}
