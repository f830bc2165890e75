package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/cupel-dev/cupel/internal/schemas"
)

// ourSchemas are the schemas of what a job writes, ready for use.
var ourSchemas = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	compiler, all := jsonschema.NewCompiler(), map[string]*jsonschema.Schema{}
	for _, name := range []string{inputsSchema, sessionsSchema, summarySchema} {
		text, ok := schemas.Text(name)
		if !ok {
			return nil, fmt.Errorf("%s has no schema", name)
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			return nil, err
		}
		if err := compiler.AddResource("mem:///"+name, value); err != nil {
			return nil, err
		}
		if all[name], err = compiler.Compile("mem:///" + name); err != nil {
			return nil, err
		}
	}
	return all, nil
})

// fits returns why a document does not conform to its schema.
func fits(text []byte) error {
	all, err := ourSchemas()
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	document, _ := value.(map[string]any)
	name, _ := document["schema"].(string)
	if all[name] == nil {
		return fmt.Errorf("%q is no schema of a job", name)
	}
	return all[name].Validate(value)
}

// fitting holds the documents that a job wrote into a folder to their schemas.
func fitting(t *testing.T, folder string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(names) < 2 {
		t.Fatalf("%d documents, %v", len(names), err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err == nil {
			err = fits(text)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSchemasAreClosed checks that a document with a missing or unknown member does not conform.
func TestSchemasAreClosed(t *testing.T) {
	mixed(t)
	j := newJob("out", "log.*.jsonl")
	j.mode = modeSessions
	if _, err := finish(t, j); err != nil {
		t.Fatal(err)
	}
	for _, text := range append(reports(t, "out"), objectText(t, "out/"+summaryName)) {
		var document map[string]json.RawMessage
		if err := json.Unmarshal(text, &document); err != nil {
			t.Fatal(err)
		}
		changed := func(change func()) bool {
			before := document
			document = map[string]json.RawMessage{}
			for name, value := range before {
				document[name] = value
			}
			change()
			text, err := json.Marshal(document)
			if err != nil {
				t.Fatal(err)
			}
			document = before
			return fits(text) == nil
		}
		for name := range document {
			if changed(func() { delete(document, name) }) {
				t.Errorf("%s without %q", document["schema"], name)
			}
			if changed(func() { document[name] = json.RawMessage(`[0]`) }) {
				t.Errorf("%s with another %q", document["schema"], name)
			}
		}
		if changed(func() { document["more"] = json.RawMessage(`0`) }) || !changed(func() {}) {
			t.Errorf("%s is not closed", document["schema"])
		}
	}
}
