package schemas

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestSchemas: every schema is one, has a title, names its document, and takes no member that
// it does not name.
func TestSchemas(t *testing.T) {
	meta := jsonschema.NewCompiler().MustCompile("https://json-schema.org/draft/2020-12/schema")
	for _, name := range Names() {
		text, ok := Text(name)
		if !ok || Title(name) == "" || !strings.HasSuffix(text, "}\n") {
			t.Fatalf("%s: no schema, or no title", name)
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := meta.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		closed(t, name, value)
		schema, _ := value.(map[string]any)["properties"].(map[string]any)["schema"].(map[string]any)
		if name != Config && schema["const"] != name {
			t.Errorf("%s: it is about %v", name, schema["const"])
		}
	}
	for _, name := range []string{"", "finding", "cupel.trace", "cupel.trace/2", "cupel.trace-1", "cupel./1", "../schemas", "cupel.../parts/fix"} {
		if _, listed := Text(name); listed {
			t.Errorf("%q is a schema", name)
		}
	}
}

// closed: an object takes no member that is not named.
func closed(t *testing.T, where string, value any) {
	t.Helper()
	switch v := value.(type) {
	case []any:
		for _, each := range v {
			closed(t, where, each)
		}
	case map[string]any:
		if kind, _ := v["type"].(string); kind == "object" && v["additionalProperties"] == nil {
			t.Errorf("%s: an object takes any member", where)
		}
		for key, each := range v {
			if key != "if" {
				closed(t, where+"/"+key, each)
			}
		}
	}
}

// TestParts: every part is needed.
func TestParts(t *testing.T) {
	used := map[string]bool{}
	for _, name := range Names() {
		body, _ := read(name)
		for _, part := range needed(body) {
			used[part] = true
		}
	}
	parts, err := fs.ReadDir(files, "parts")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range parts {
		data, err := files.ReadFile("parts/" + part.Name())
		if err != nil || !json.Valid(data) {
			t.Errorf("%s: %v, or no JSON", part.Name(), err)
		}
		if !used[strings.TrimSuffix(part.Name(), ".json")] {
			t.Errorf("nothing refers to %s", part.Name())
		}
	}
}
