// Package schemas contains the payload tables of SCHEMA.md v0.2 as draft-07 JSON Schemas, for
// documentation, other tools and the reference engine.
package schemas

import (
	"embed"
	"strings"
)

//go:embed *.json
var files embed.FS

// Names returns the event types that have a payload schema, sorted. They are the twelve of the 14-field envelope.
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

// Payload returns the payload schema of an event type; ok is false for an unknown type. Two rules that draft-07
// cannot express are missing: hashes for redaction markers inside args and result, and tool ids.
func Payload(eventType string) (text []byte, ok bool) {
	text, err := files.ReadFile(eventType + ".json")
	return text, err == nil
}
