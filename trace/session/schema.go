package session

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/xeipuuv/gojsonschema"
)

// The payload tables once more, as draft-07 JSON Schemas: for readers, for other
// tools, and for the reference engine.
//
//go:embed schemas/*.json
var schemaFiles embed.FS

// SchemaNames returns the event types that have a payload schema, sorted. They are
// the twelve of the 14-field envelope.
func SchemaNames() []string { return slices.Sorted(maps.Keys(typesV0)) }

// Schema returns the draft-07 JSON Schema of an event type's payload under SCHEMA.md
// v0.2; ok is false for a type outside the closed set. Two rules lie beyond draft-07
// and are checked by Verify alone: hashes beside redaction markers inside args and
// result, and tool ids.
func Schema(eventType string) (text []byte, ok bool) {
	if _, ok := typesV0[eventType]; !ok {
		return nil, false
	}
	text, err := schemaFiles.ReadFile("schemas/" + eventType + ".json")
	return text, err == nil
}

// compiled holds the schemas of the reference engine, compiled when first needed.
var compiled = sync.OnceValues(func() (map[string]*gojsonschema.Schema, error) {
	all := map[string]*gojsonschema.Schema{}
	for _, name := range SchemaNames() {
		text, _ := Schema(name)
		schema, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(text))
		if err != nil {
			return nil, fmt.Errorf("payload schema of %s: %w", name, err)
		}
		all[name] = schema
	}
	return all, nil
})

// ReferencePayload validates a payload with the schema library alone. It returns the
// library's complaints, none for a good payload. The type must be one of SchemaNames
// and the payload one JSON text.
func ReferencePayload(eventType string, payload []byte) (complaints []string, err error) {
	schemas, err := compiled()
	if err != nil {
		return nil, err
	}
	schema := schemas[eventType]
	if schema == nil {
		return nil, fmt.Errorf("no payload schema for %q, expected one of %s", eventType, strings.Join(SchemaNames(), ", "))
	}
	result, err := schema.Validate(gojsonschema.NewBytesLoader(payload))
	if err != nil {
		return nil, fmt.Errorf("payload schema of %s: %w", eventType, err)
	}
	for _, complaint := range result.Errors() {
		complaints = append(complaints, complaint.String())
	}
	slices.Sort(complaints)
	return complaints, nil
}
