// Package schemas holds the payload tables of SCHEMA.md v0.2 as draft-07 JSON Schemas:
// for readers, for other tools, and for the reference engine.
package schemas

import (
	"embed"
	"strings"
)

//go:embed *.json
var files embed.FS

// Names returns the event types that have a payload schema, sorted. They are the
// twelve of the 14-field envelope.
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

// Payload returns the schema of an event type's payload; ok is false for a type
// outside the closed set. Two rules lie beyond draft-07 and are left out: hashes beside
// redaction markers inside args and result, and tool ids.
func Payload(eventType string) (text []byte, ok bool) {
	text, err := files.ReadFile(eventType + ".json")
	return text, err == nil
}
