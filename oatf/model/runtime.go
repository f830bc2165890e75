package model

// What the execution primitives (§5) take and return beside values and the parts of a
// document.

// ProtocolEvent is an event that was observed during execution (§2.8a).
type ProtocolEvent struct {
	EventType string  // the base event: "tools/call", "message/send", "run_started"
	Qualifier *string // what stands behind the colon of a trigger's event; nil is resolved from Content
	Content   Value   // what a trigger's match and a qualifier's path look at
}

// TriggerState is what a trigger has counted (§2.8c). An actor that enters a phase begins
// with the zero state and hands the same one to every evaluation of that phase.
type TriggerState struct {
	EventCount int64 // events that matched base event, qualifier and predicate
}

// AdvanceReason says why a phase advances (§2.20).
type AdvanceReason string

// Why a phase advances.
const (
	AdvanceEventMatched AdvanceReason = "event_matched" // the number of matching events is reached
	AdvanceTimeout      AdvanceReason = "timeout"       // the time since the phase began is over
)

// TriggerResult says whether a phase advances (§2.8b).
type TriggerResult struct {
	Advanced bool
	Reason   AdvanceReason // "" when it does not
}

// SynthesizeBlock asks for a generated response (§2.23).
type SynthesizeBlock struct {
	Prompt string `yaml:"prompt"` // a template
}

// ResponseEntry is a response that is chosen by the request (§2.24). It has either
// Synthesize or static content.
type ResponseEntry struct {
	When       MatchPredicate   // nil on the default entry
	Synthesize *SynthesizeBlock // nil for static content
	Static     Object           // all other members of the entry, in their order
}
