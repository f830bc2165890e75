package oatf

// ProtocolEvent is one protocol-level event observed during execution (§2.8a).
type ProtocolEvent struct {
	EventType string  // the base event: "tools/call"
	Qualifier *string // already resolved; nil: it is resolved from Content
	Content   Value
}

// TriggerResult says whether a phase ends (§2.8b).
type TriggerResult struct {
	Advanced bool
	Reason   AdvanceReason // "" unless Advanced
}

// TriggerState is what a phase remembers between events (§2.8c). The caller makes a
// fresh one when an actor enters a phase and does not look inside.
type TriggerState struct {
	EventCount int64
}
