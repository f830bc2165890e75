package reference

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/xeipuuv/gojsonschema"

	"github.com/cupel-dev/cupel/trace/internal/schemas"
)

// ValidatePayload validates a payload, one JSON text, against the embedded schema of
// its event type. It returns the library's complaints, sorted, none for a good
// payload. A type without a schema is an error.
func (Engine) ValidatePayload(eventType string, payload []byte) (complaints []string, err error) {
	all, err := compiled()
	if err != nil {
		return nil, err
	}
	schema := all[eventType]
	if schema == nil {
		return nil, fmt.Errorf("no payload schema for %q, expected one of %s", eventType, strings.Join(schemas.Names(), ", "))
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

// compiled holds the schemas, compiled when first needed.
var compiled = sync.OnceValues(func() (map[string]*gojsonschema.Schema, error) {
	all := map[string]*gojsonschema.Schema{}
	for _, name := range schemas.Names() {
		text, _ := schemas.Payload(name)
		schema, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(text))
		if err != nil {
			return nil, fmt.Errorf("payload schema of %s: %w", name, err)
		}
		all[name] = schema
	}
	return all, nil
})
