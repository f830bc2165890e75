// Package reference is the second engine of trace: canonical bytes by gowebpki/jcs,
// payload rules by gojsonschema, and all other rules by a naive checker of whole logs,
// which share no code with the packages they check. A program that verifies with trace.Reference or trace.Both imports it for its effect:
//
//	import _ "github.com/cupel-dev/cupel/trace/reference"
//
// It is a package of its own because gojsonschema links net/http, which nothing else
// in trace needs.
package reference

import (
	canon "github.com/cupel-dev/cupel/internal/reference"
	"github.com/cupel-dev/cupel/trace/internal/second"
)

func init() { second.Register(Engine{}) }

// Engine answers by the two libraries and the naive checker. The zero value is ready and safe for concurrent
// use.
type Engine struct{}

// Canonical returns the RFC 8785 form of a JSON text, or an error for a text that is
// not JSON.
func (Engine) Canonical(text []byte) ([]byte, error) { return canon.Canonical(text) }
