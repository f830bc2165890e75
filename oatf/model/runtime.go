package model

// Arguments and results of the execution primitives (§5).

// ProtocolEvent is an event that was observed during execution (§2.8a).
type ProtocolEvent struct {
	EventType string  // the base event: "tools/call", "message/send", "run_started"
	Qualifier *string // the text after the colon of a trigger's event; nil: resolved from Content
	Content   Value   // examined by a trigger's match and a qualifier's path
}

// TriggerState is a trigger's event count (§2.8c). An actor starts each phase with the zero state and uses it for
// every evaluation in that phase.
type TriggerState struct {
	EventCount int64 // events that matched base event, qualifier and predicate
}

// AdvanceReason is the reason why a phase advances (§2.20).
type AdvanceReason string

// Why a phase advances.
const (
	AdvanceEventMatched AdvanceReason = "event_matched" // the number of matching events is reached
	AdvanceTimeout      AdvanceReason = "timeout"       // the time since the phase began is over
)

// TriggerResult reports whether a phase advances (§2.8b).
type TriggerResult struct {
	Advanced bool
	Reason   AdvanceReason // "" when it does not
}

// SynthesizeBlock requests a generated response (§2.23).
type SynthesizeBlock struct {
	Prompt string `yaml:"prompt"` // a template
}

// ResponseEntry is a response that is selected by the request (§2.24). It has either Synthesize or static content.
type ResponseEntry struct {
	When       MatchPredicate   // nil on the default entry
	Synthesize *SynthesizeBlock // nil for static content
	Static     Object           // all other members of the entry, in their order
}
