package keys_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/keys"
)

// compiled returns the schema of some revisions.
func compiled(t testing.TB, list ...oatf.Revision) *jsonschema.Schema {
	t.Helper()
	definition, err := jsonschema.UnmarshalJSON(strings.NewReader(keys.Schema(list...)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("document.json", definition); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("document.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// validate returns the answer of a schema about a value.
func validate(t interface{ Fatal(...any) }, schema *jsonschema.Schema, v oatf.Value) error {
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(oatf.AppendJSON(nil, v)))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(instance)
}

// examples are documents that are valid, by their files.
func examples(t testing.TB) map[string]oatf.Object {
	t.Helper()
	list := map[string]oatf.Object{}
	for _, pattern := range []string{"testdata/examples/oatf/*.yaml", "testdata/oatf/conformance*/parse/valid/*.yaml"} {
		files, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			source, err := yamltext.ReadAudited(text)
			if err != nil {
				t.Fatal(err)
			}
			list[name], _ = yamltext.Value(source.Root).(oatf.Object)
		}
	}
	return list
}

// reads reports whether the parser takes a value for a document of a revision.
func reads(r oatf.Revision, v oatf.Value) bool {
	_, err := (oatf.ParseOptions{Revision: r}).Parse(oatf.AppendJSON(nil, v))
	return err == nil
}

// TestSchemaOfTheParser: the schema of a revision accepts a document exactly when the parser reads it.
func TestSchemaOfTheParser(t *testing.T) {
	for _, r := range oatf.Revisions() {
		schema, accepted, refused := compiled(t, r), 0, 0
		for name, v := range examples(t) {
			err := validate(t, schema, v)
			if err == nil {
				accepted++
			} else {
				refused++
			}
			if reads(r, v) != (err == nil) {
				t.Errorf("%s: %s: read: %v, schema: %v", r, name, reads(r, v), err)
			}
		}
		if accepted < 4 || refused == 0 {
			t.Errorf("%s: %d accepted, %d refused", r, accepted, refused)
		}
	}
}

// TestSchemaOfAnyRevision: the schema of all revisions accepts what the parser reads in one of them.
func TestSchemaOfAnyRevision(t *testing.T) {
	schema := compiled(t, oatf.Revisions()...)
	for name, v := range examples(t) {
		some := slices.ContainsFunc(oatf.Revisions(), func(r oatf.Revision) bool { return reads(r, v) })
		if err := validate(t, schema, v); some != (err == nil) {
			t.Errorf("%s: read: %v, schema: %v", name, some, err)
		}
	}
}

// TestSchemaOfChangedDocuments: the same holds for documents in which something was changed, except for
// what the schema leaves open: the state of a phase.
func TestSchemaOfChangedDocuments(t *testing.T) {
	var list []oatf.Object
	all := examples(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[name])
	}
	schemas := map[oatf.Revision]*jsonschema.Schema{}
	for _, r := range oatf.Revisions() {
		schemas[r] = compiled(t, r)
	}
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(oatf.Revisions()).Draw(t, "revision")
		v := changed(t, rapid.SampledFrom(list).Draw(t, "document"))
		if err := validate(t, schemas[r], v); reads(r, v) != (err == nil) {
			t.Fatalf("%s: %s\nread: %v, schema: %v", r, oatf.AppendJSON(nil, v), reads(r, v), err)
		}
	})
}

// changed returns a value with a change somewhere in it: another value, a key more, or a key less.
func changed(t *rapid.T, v oatf.Value) oatf.Value {
	object, isObject := v.(oatf.Object)
	list, isList := v.([]oatf.Value)
	deeper := rapid.IntRange(0, 9).Draw(t, "deeper") > 1
	switch {
	case isObject && len(object) > 0 && deeper:
		object = slices.Clone(object)
		i := rapid.IntRange(0, len(object)-1).Draw(t, "member")
		if key := object[i].Key; key != "state" && key != "oatf" {
			object[i].Value = changed(t, object[i].Value)
		}
		return object
	case isList && len(list) > 0 && deeper:
		list = slices.Clone(list)
		i := rapid.IntRange(0, len(list)-1).Draw(t, "element")
		list[i] = changed(t, list[i])
		return list
	case isObject && rapid.Bool().Draw(t, "more"):
		key := rapid.SampledFrom([]string{"qqqq", "x-own", "name", "contains", "target", "send", "severity"}).Draw(t, "key")
		if _, there := object.Get(key); !there {
			return append(slices.Clone(object), oatf.Member{Key: key, Value: rapid.SampledFrom(others).Draw(t, "value")})
		}
		return object
	case isObject && len(object) > 0:
		i := rapid.IntRange(0, len(object)-1).Draw(t, "less")
		return slices.Delete(slices.Clone(object), i, i+1)
	}
	return rapid.SampledFrom(others).Draw(t, "other")
}

// others are values of every type.
var others = []oatf.Value{"text", "high", "mcp_server", oatf.Number("7"), oatf.Number("1.5"), true, []oatf.Value{}, []oatf.Value{"a"}, oatf.Object{}, oatf.Object{{Key: "contains", Value: "a"}}}
