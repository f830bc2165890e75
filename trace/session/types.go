package session

// eventType is an event's type by the name that the log gives it.
type eventType uint8

// The types of all envelopes. A family's closed set names those it knows.
const (
	unknownType eventType = iota
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
)

// typesV0 are the event types of the 14-field envelope and of bare logs, typesV1
// those of the 1.0 envelopes.
var (
	typesV0 = map[string]eventType{
		"SESSION_START": sessionStart, "SESSION_END": sessionEnd,
		"MODEL_REQUEST": modelRequest, "MODEL_RESPONSE": modelResponse,
		"TOOL_CALL": toolCall, "TOOL_RESULT": toolResult,
		"AGENT_STATE_SNAPSHOT": stateSnapshot, "DECISION_TRACE": decisionTrace,
		"ERROR": errorEvent, "ANNOTATION": annotation,
		"CHAIN_SEAL": chainSeal, "LOG_DROP": logDrop,
	}
	typesV1 = map[string]eventType{
		"SESSION_START": sessionStart, "SESSION_END": sessionEnd,
		"LLM_CALL": llmCall, "LLM_RESPONSE": llmResponse,
		"TOOL_CALL": toolCall, "TOOL_RESULT": toolResult, "TOOL_ERROR": toolError,
		"LOG_DROP": logDrop, "CHAIN_SEAL": chainSeal, "CHAIN_BROKEN": chainBroken,
		"REDACTION": redaction, "FORENSIC_FREEZE": forensicFreeze,
	}
)
