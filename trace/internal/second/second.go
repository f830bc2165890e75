// Package second holds the second engine of trace, when a program has linked one in. It
// stands between the checkers, which must not link the engine's libraries, and the
// package that wraps them.
package second

import "context"

// Engine is an independent implementation of what the checkers do themselves. It shares
// no code with them, so where the two agree, neither is alone in its answer. It is safe
// for concurrent use.
type Engine interface {
	// Canonical returns the RFC 8785 form of a JSON text, or an error for a text that
	// is not JSON.
	Canonical(text []byte) ([]byte, error)
	// ValidatePayload returns what is wrong with the payload of an event type of
	// SCHEMA.md v0.2: nothing for a good one.
	ValidatePayload(eventType string, payload []byte) (complaints []string, err error)
	// Judge applies the rules to a whole log. The error is of reading what lies beside
	// the log, or the context's.
	Judge(ctx context.Context, q Question) (Answer, error)
}

// linked is set while the program's packages initialise and only read after that.
var linked Engine

// Register makes e the program's second engine. It is called while packages initialise.
func Register(e Engine) { linked = e }

// Linked returns the program's second engine, nil when it has none.
func Linked() Engine { return linked }
