package evidence

import "github.com/cupel-dev/cupel/internal/enum"

// Engine selects the implementation that writes canonical JSON.
type Engine uint8

// The engines: the optimized one, the independent reference, or both with results compared.
const (
	Fast Engine = iota
	Reference
	Both
)

var engineNames = [...]string{"fast", "reference", "both"}

// String returns the name of the engine.
func (e Engine) String() string { return enum.Name(engineNames[:], e) }

// MarshalText returns the engine's name, or an error.
func (e Engine) MarshalText() ([]byte, error) { return enum.Text(engineNames[:], e) }

// UnmarshalText sets the engine to the one with the name text.
func (e *Engine) UnmarshalText(text []byte) error {
	return enum.Read("engine", engineNames[:], e, text)
}

// Options configures hashing. The zero value applies version 1 of the contract with default limits.
type Options struct {
	Limits Limits

	Check         bool // a recorded hash that differs, or is not there, is an error
	Strict        bool // an event without datacontenttype is an error
	ExactIntegers bool // an integer that RFC 8785 would round is an error

	EnvelopeDigest bool // also digest the whole event; no part of version 1
	Explain        bool // describe the hash input
	Events         bool // HashStream keeps each Result's Event, which takes about twice the event's bytes
	Lines          bool // each line of HashStream's input is an event, whatever it looks like

	Engine      Engine
	Jobs        int // workers of HashStream; default: one for each processor
	MaxFindings int // findings kept for one input; default DefaultMaxFindings, negative: all
}

// DefaultMaxFindings limits the findings kept per input. Further ones are counted.
const DefaultMaxFindings = 1000

func (o Options) withDefaults() Options {
	o.Limits = o.Limits.WithDefaults()
	if o.MaxFindings == 0 {
		o.MaxFindings = DefaultMaxFindings
	}
	return o
}
