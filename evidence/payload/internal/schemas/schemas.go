// Package schemas contains the payloads of ADR-006 §3 as draft-07 JSON Schemas, for documentation,
// other tools and the reference engine.
package schemas

import (
	"embed"
	"strings"
)

//go:embed *.json
var files embed.FS

// Names returns the event types that have a schema, sorted.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic("schemas.Names: " + err.Error()) // the folder is embedded
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".json")
	}
	return names
}

// Payload returns the schema of an event type's data; ok is false for a type without one.
func Payload(eventType string) (text []byte, ok bool) {
	text, err := files.ReadFile(eventType + ".json")
	return text, err == nil
}
