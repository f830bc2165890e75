// Package reference is the second engine of trace: canonical bytes by gowebpki/jcs, payload rules
// by gojsonschema, and all other rules by a naive checker, without code shared with the checked
// packages. Programs that use trace.Reference or trace.Both import it:
//
//	import _ "github.com/cupel-dev/cupel/trace/reference"
//
// It is separate because gojsonschema imports net/http.
package reference

import (
	canon "github.com/cupel-dev/cupel/internal/reference"
	"github.com/cupel-dev/cupel/trace/internal/second"
)

func init() { second.Register(Engine{}) }

// Engine answers by the two libraries and the naive checker. The zero value is ready and safe for concurrent use.
type Engine struct{}

// Canonical returns the RFC 8785 form of a JSON text, or an error for a text that is not JSON.
func (Engine) Canonical(text []byte) ([]byte, error) { return canon.Canonical(text) }
