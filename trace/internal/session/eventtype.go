package session

type eventType uint8

// The event types of all envelopes. A typeSet selects those of one family.
const (
	_ eventType = iota
	sessionStart
	sessionEnd
	modelRequest
	modelResponse
	toolCall
	toolResult
	stateSnapshot
	decisionTrace
	errorEvent
	annotation
	chainSeal
	logDrop
	llmCall
	llmResponse
	toolError
	chainBroken
	redaction
	forensicFreeze
	typeCount
)

// ofServer reports whether a type is written by the collecting server, which does not have the signing key.
func (t eventType) ofServer() bool {
	return t == chainSeal || t == chainBroken || t == redaction || t == forensicFreeze
}

// typeSet selects the event types of a family.
type typeSet uint8

const (
	typesV0 typeSet = iota // of the 14-field envelope and of bare logs
	typesV1                // of the 1.0 envelopes
)

// read returns the type with the given name, or 0.
func (s typeSet) read(name []byte) eventType {
	if s == typesV1 {
		return typeV1(name)
	}
	return typeV0(name)
}

// typeV0 returns the event type in the 14-field envelope and in bare logs, or 0.
func typeV0(name []byte) eventType {
	switch string(name) {
	case "SESSION_START":
		return sessionStart
	case "SESSION_END":
		return sessionEnd
	case "MODEL_REQUEST":
		return modelRequest
	case "MODEL_RESPONSE":
		return modelResponse
	case "TOOL_CALL":
		return toolCall
	case "TOOL_RESULT":
		return toolResult
	case "AGENT_STATE_SNAPSHOT":
		return stateSnapshot
	case "DECISION_TRACE":
		return decisionTrace
	case "ERROR":
		return errorEvent
	case "ANNOTATION":
		return annotation
	case "CHAIN_SEAL":
		return chainSeal
	case "LOG_DROP":
		return logDrop
	}
	return 0
}

// typeV1 returns the event type in the 1.0 envelopes, or 0.
func typeV1(name []byte) eventType {
	switch string(name) {
	case "SESSION_START":
		return sessionStart
	case "SESSION_END":
		return sessionEnd
	case "LLM_CALL":
		return llmCall
	case "LLM_RESPONSE":
		return llmResponse
	case "TOOL_CALL":
		return toolCall
	case "TOOL_RESULT":
		return toolResult
	case "TOOL_ERROR":
		return toolError
	case "LOG_DROP":
		return logDrop
	case "CHAIN_SEAL":
		return chainSeal
	case "CHAIN_BROKEN":
		return chainBroken
	case "REDACTION":
		return redaction
	case "FORENSIC_FREEZE":
		return forensicFreeze
	}
	return 0
}
