// Package second holds the optionally linked second engine of payload. It separates the checker,
// which must not link the engine's libraries, from the engine.
package second

// Engine is an independent implementation of the JSON Schema rules. It must be safe for concurrent use.
type Engine interface {
	// Faulty returns the distinct faulty members of a JSON payload by its type's schema, unordered, and "" if it is
	// not an object. Missing members are included. A type without a schema is an error.
	Faulty(eventType string, payload []byte) (members []string, err error)
}

// linked is set during initialization and only read afterwards.
var linked Engine

// Register sets the program's second engine. Call it from an init function.
func Register(e Engine) { linked = e }

// Linked returns the linked second engine, or nil.
func Linked() Engine { return linked }
