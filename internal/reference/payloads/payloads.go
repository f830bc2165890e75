// Package payloads compiles tables of payloads with a library for JSON Schema, for the second
// engines. It is a room of its own because the library links net/http.
package payloads

import (
	"fmt"
	"strings"
	"sync"

	"github.com/xeipuuv/gojsonschema"
)

// Schemas are the schemas of some types of events, compiled when one is first asked for. It is
// safe for concurrent use.
type Schemas struct {
	names    []string
	compiled func() (map[string]*gojsonschema.Schema, error)
}

// New takes the types and where the text of the schema of each is.
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

// Validate holds a payload, one JSON text, against the schema of its type. A type without one,
// and a text that is no JSON, is an error.
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

// Failed names the schema that the library has failed with.
func Failed(eventType string, err error) error {
	return fmt.Errorf("payload schema of %s: %w", eventType, err)
}
