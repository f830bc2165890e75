package simulate

import (
	"time"

	"github.com/cupel-dev/cupel/oatf/model"

	"github.com/cupel-dev/cupel/oatf"
)

// Kind is what happens in a step.
type Kind string

// The kinds of steps.
const (
	Enter    Kind = "enter"    // an actor begins a phase
	Act      Kind = "action"   // an entry action runs, or is skipped
	Send     Kind = "send"     // a client sends what the state of the phase has for it
	Observe  Kind = "event"    // an actor observes an event
	Capture  Kind = "capture"  // an extractor takes a value
	Respond  Kind = "response" // an actor answers a request
	Advance  Kind = "advance"  // a trigger ends a phase
	Complete Kind = "complete" // the last phase of an actor has ended
	Ignore   Kind = "ignored"  // nobody observes an event
)

// Step is one thing that happens. Fields that its kind has no use for are empty.
type Step struct {
	Kind    Kind
	Elapsed time.Duration // since the run began
	Actor   string
	Phase   string // the name of the actor's phase
	Event   *Event // what the step follows from; nil when time alone does

	// Name is the mode of a phase that is entered, the key of an action, the place in the state
	// of what is sent or answered ("tools[0].responses[1]"; "" when nothing is), the name of an
	// extractor, the phase that follows the one that ends.
	Name string

	Role oatf.MessageRole // of a message that an entry action sends; "" when it tells none

	// Value is an action, message or response with its templates interpolated, or the text that
	// an extractor took. HasValue is false when there is none.
	Value    oatf.Value
	HasValue bool

	Skipped   bool // an action that is not run, or what a client cannot send
	Generated bool // Value is what the provider generated
	Matched   bool // the event counts for the trigger
	Count     int64
	Needed    int64 // events that the trigger needs; 0 when none ends the phase
	Reason    model.AdvanceReason

	// Warnings say what is odd: W-004 for each template reference that is replaced with nothing,
	// and what has no code of the specification.
	Warnings []oatf.Diagnostic
}

// ActorState is where an actor has got to.
type ActorState struct {
	Name     string
	Mode     oatf.Mode
	Phase    string // the one that it is in, or was in last
	Index    int    // of the phase, from 0 on
	Phases   int
	Entered  time.Duration
	Count    int64 // events that counted in the phase
	Complete bool  // its last phase has ended
	Captured []Captured
}

// Captured is an extractor that took a value.
type Captured struct {
	Name  string
	Value string
}

// warn says that something is odd.
func (s *Step) warn(message string) { s.Warnings = append(s.Warnings, warning(message)) }

func warning(message string) oatf.Diagnostic {
	return oatf.Diagnostic{Severity: model.DiagnosticWarning, Message: message}
}
