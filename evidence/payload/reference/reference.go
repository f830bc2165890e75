// Package reference is the second engine of payload: gojsonschema with the published schemas,
// without code shared with the checked package. Programs that use evidence.Reference or
// evidence.Both import it:
//
//	import _ "github.com/cupel-dev/cupel/evidence/payload/reference"
//
// It is separate because gojsonschema imports net/http.
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

// Engine uses the library. It is safe for concurrent use.
type Engine struct{}

// Faulty returns the sorted faulty members of a JSON payload by its type's schema, including missing ones, and ""
// if it is not an object. A type without a schema and malformed JSON are errors.
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
		return nil, payloads.Failed(eventType, fmt.Errorf("no finding of the validator names a member: %v", result.Errors()))
	}
	return slices.Sorted(maps.Keys(faulty)), nil
}

// memberOf returns the member that a complaint of the library is about. Complaints about the whole payload are
// redundant, except for its type and missing members.
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

var compiled = payloads.New(schemas.Names(), schemas.Payload)
