// Package second holds the second engine of payload, when a program has linked one in. It
// stands between the checker, which must not link the engine's libraries, and the package
// that wraps them.
package second

// Engine is an independent implementation of the rules that a JSON Schema can say. It
// shares no code with the checker. It is safe for concurrent use.
type Engine interface {
	// Faulty returns the members of a payload, one JSON text, that are at fault by the
	// schema of the event's type, each once and in no order, and "" where the payload is no
	// object. A member that is missing is at fault under its name. A type without a schema
	// is an error.
	Faulty(eventType string, payload []byte) (members []string, err error)
}

// linked is set while the program's packages initialise and only read after that.
var linked Engine

// Register makes e the program's second engine. It is called while packages initialise.
func Register(e Engine) { linked = e }

// Linked returns the program's second engine, nil when it has none.
func Linked() Engine { return linked }
