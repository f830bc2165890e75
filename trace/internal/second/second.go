// Package second registers the optional second engine of trace, so that the checkers do not link the engine's
// libraries.
package second

import "context"

// Engine is an independent implementation of the checkers' rules that confirms their results. It must be safe for
// concurrent use.
type Engine interface {
	// Canonical returns the RFC 8785 form of a JSON text, or an error for a text that is not JSON.
	Canonical(text []byte) ([]byte, error)
	// ValidatePayload returns the errors of a payload of SCHEMA.md v0.2.
	ValidatePayload(eventType string, payload []byte) (complaints []string, err error)
	// Judge applies the rules to a whole log. The error is a read error of companion files or ctx's.
	Judge(ctx context.Context, q Question) (Answer, error)
}

// linked is set only during package initialization.
var linked Engine

// Register sets the program's second engine. It must be called during package initialization.
func Register(e Engine) { linked = e }

// Linked returns the linked second engine, or nil.
func Linked() Engine { return linked }
