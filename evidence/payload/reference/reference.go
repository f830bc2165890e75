// Package reference is the second engine of payload: gojsonschema over the printed schemas,
// which shares no code with the package that it checks. A program that checks payloads with
// evidence.Reference or evidence.Both imports it for its effect:
//
//	import _ "github.com/cupel-dev/cupel/evidence/payload/reference"
//
// It is a package of its own because gojsonschema links net/http, which nothing else in
// evidence needs.
package reference

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/xeipuuv/gojsonschema"

	"github.com/cupel-dev/cupel/evidence/payload/internal/schemas"
	"github.com/cupel-dev/cupel/evidence/payload/internal/second"
	"github.com/cupel-dev/cupel/internal/reference/payloads"
)

func init() { second.Register(Engine{}) }

// Engine answers by the library. The zero value is ready and safe for concurrent use.
type Engine struct{}

// Faulty returns the members of a payload, one JSON text, that are at fault by the schema of
// the event's type: sorted, each once, a missing one under its name, and "" where the
// payload is no object. A type without a schema, and a text that is no JSON, is an error.
func (Engine) Faulty(eventType string, payload []byte) (members []string, err error) {
	result, err := compiled.Validate(eventType, payload)
	if err != nil {
		return nil, err
	}
	faulty := map[string]bool{}
	for _, complaint := range result.Errors() {
		if member, ok := memberOf(complaint); ok {
			faulty[member] = true
		}
	}
	if len(faulty) == 0 && !result.Valid() {
		return nil, payloads.Failed(eventType, fmt.Errorf("no complaint names a member: %v", result.Errors()))
	}
	return slices.Sorted(maps.Keys(faulty)), nil
}

// memberOf is the payload's own member that a complaint is about. Complaints about the whole
// payload only sum up what others say of members, but for those of its type and of what it
// lacks.
func memberOf(complaint gojsonschema.ResultError) (member string, ok bool) {
	const separator = "\x00"
	if _, inside, below := strings.Cut(complaint.Context().String(separator), separator); below {
		member, _, _ = strings.Cut(inside, separator)
		return member, true
	}
	switch complaint.Type() {
	case "required":
		member, ok = complaint.Details()["property"].(string)
		return member, ok
	case "invalid_type":
		return "", true
	}
	return "", false
}

// compiled are the schemas of the table.
var compiled = payloads.New(schemas.Names(), schemas.Payload)
