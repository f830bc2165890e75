// Package payloads validates payloads with a JSON Schema library, for the second engines. It is
// separate because the library imports net/http.
package payloads

import (
	"fmt"
	"strings"
	"sync"

	"github.com/xeipuuv/gojsonschema"
)

// Schemas holds event schemas, compiled on first use. It is safe for concurrent use.
type Schemas struct {
	names    []string
	compiled func() (map[string]*gojsonschema.Schema, error)
}

// New returns Schemas for types; text returns a type's schema.
func New(names []string, text func(name string) ([]byte, bool)) *Schemas {
	return &Schemas{names, sync.OnceValues(func() (map[string]*gojsonschema.Schema, error) {
		all := map[string]*gojsonschema.Schema{}
		for _, name := range names {
			text, _ := text(name)
			schema, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(text))
			if err != nil {
				return nil, Failed(name, err)
			}
			all[name] = schema
		}
		return all, nil
	})}
}

// Validate validates a JSON payload against the schema of its type. Unknown types and malformed JSON are errors.
func (s *Schemas) Validate(eventType string, payload []byte) (*gojsonschema.Result, error) {
	all, err := s.compiled()
	if err != nil {
		return nil, err
	}
	schema := all[eventType]
	if schema == nil {
		return nil, fmt.Errorf("no payload schema for %q, expected one of %s", eventType, strings.Join(s.names, ", "))
	}
	result, err := schema.Validate(gojsonschema.NewBytesLoader(payload))
	if err != nil {
		return nil, Failed(eventType, err)
	}
	return result, nil
}

// Failed returns an error for a schema that the library could not process.
func Failed(eventType string, err error) error {
	return fmt.Errorf("payload schema of %s: %w", eventType, err)
}
