package simulate

import (
	"time"

	"github.com/cupel-dev/cupel/oatf/model"

	"github.com/cupel-dev/cupel/oatf"
)

// Kind is the kind of a step.
type Kind string

// The kinds of steps.
const (
	Enter    Kind = "enter"    // an actor begins a phase
	Act      Kind = "action"   // an entry action runs, or is skipped
	Send     Kind = "send"     // a client sends a message of its phase's state
	Observe  Kind = "event"    // an actor observes an event
	Capture  Kind = "capture"  // an extractor takes a value
	Respond  Kind = "response" // an actor answers a request
	Advance  Kind = "advance"  // a trigger ends a phase
	Complete Kind = "complete" // the last phase of an actor has ended
	Ignore   Kind = "ignored"  // no actor observes the event
)

// Step is an occurrence in a run. Fields that do not apply to its kind are empty.
type Step struct {
	Kind    Kind
	Elapsed time.Duration // since the run began
	Actor   string
	Phase   string // the name of the actor's phase
	Event   *Event // triggering event; nil for time

	// Name is the mode of an entered phase, an action's key, the place of a sent entry in the state
	// ("tools[0].responses[1]", or ""), an extractor's name, or the next phase.
	Name string

	Role oatf.MessageRole // of an entry action's message, or ""

	// Value is an interpolated action, message or response, or a captured text. HasValue is false without a value.
	Value    oatf.Value
	HasValue bool

	Skipped   bool // an action not run, or a message that cannot be sent
	Generated bool // Value was generated
	Matched   bool // the event counts for the trigger
	Count     int64
	Needed    int64 // events that the trigger needs; 0 when none ends the phase
	Reason    model.AdvanceReason

	// Warnings are W-004 for each unresolved template reference, and oddities without a code.
	Warnings []oatf.Diagnostic
}

// ActorState is the current phase of an actor.
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

// Captured is an extractor and its captured value.
type Captured struct {
	Name  string
	Value string
}

func (s *Step) warn(message string) { s.Warnings = append(s.Warnings, warning(message)) }

func warning(message string) oatf.Diagnostic {
	return oatf.Diagnostic{Severity: model.DiagnosticWarning, Message: message}
}
