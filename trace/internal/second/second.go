// Package second holds the optionally linked second engine of trace. It separates the checkers,
// which must not link the engine's libraries, from the engine.
package second

import "context"

// Engine is an independent implementation of the checkers' rules, to confirm their results. It must
// be safe for concurrent use.
type Engine interface {
	// Canonical returns the RFC 8785 form of a JSON text, or an error for a text that is not JSON.
	Canonical(text []byte) ([]byte, error)
	// ValidatePayload returns the errors of a payload of SCHEMA.md v0.2.
	ValidatePayload(eventType string, payload []byte) (complaints []string, err error)
	// Judge applies the rules to a whole log. The error is a read error of companion files or ctx's.
	Judge(ctx context.Context, q Question) (Answer, error)
}

// linked is set while the program's packages initialise and only read after that.
var linked Engine

// Register makes e the program's second engine. It is called while packages initialise.
func Register(e Engine) { linked = e }

// Linked returns the linked second engine, or nil.
func Linked() Engine { return linked }
