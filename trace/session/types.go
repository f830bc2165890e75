package session

// eventType is an event's type by the name that the log gives it.
type eventType uint8

// The types of all envelopes. A family's closed set names those it knows.
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

// member is a member of an envelope.
type member uint8

// The members of all envelopes.
const (
	eventID member = iota
	sessionID
	sequenceNumber
	timestampWall
	timestampMonotonic
	typeName
	sourceSDKVer
	schemaVer
	payloadHash
	prevEventHash
	eventHash
	payloadMember
	chainAuthority
	authorityID
	seqMember
	timestamp
	prevHash
	signature
	hmacMember
	sealHMAC
	memberCount
	noMember = memberCount
)

var memberNames = [memberCount]string{
	"event_id", "session_id", "sequence_number", "timestamp_wall", "timestamp_monotonic", "event_type", "source_sdk_ver",
	"schema_ver", "payload_hash", "prev_event_hash", "event_hash", "payload", "chain_authority", "authority_id",
	"seq", "timestamp", "prev_hash", "signature", "hmac", "seal_hmac",
}

func (m member) String() string { return memberNames[m] }

// shape is what an envelope says of one member.
type shape uint8

const (
	stranger  shape = iota // not a member of this envelope: noted
	tolerated              // not in the envelope's text, but known from real logs
	maybeText              // a string, or absent
	maybeUint              // an integer of 64 bits unsigned, or absent
	aText                  // a string
	aLink                  // a string, or null on the first event
	aUint                  // an integer of 64 bits unsigned
	anObject               // an object
)

func (s shape) required() bool { return s >= aText }

// envelope is what the families of session logs differ in.
type envelope struct {
	types    map[string]eventType
	shapes   [memberCount]shape
	required uint32 // members with a shape that is required, as bits
	number   member // the sequence number; noMember when events have none
	link     member // the hash of the event before
	first    uint64 // the first sequence number
	genesis  string // the first link; "" is null
	chained  bool
	tables   bool // payloads follow the tables of SCHEMA v0.2
	versions bool // schema_ver names the envelope's version
	whole    bool // the event's hash covers the whole event; else the signed members alone
	inner    bool // the session's id stands in the payload
	ordered  bool // SESSION_START opens and SESSION_END or CHAIN_SEAL closes the log
}

// zeroHash is the first link of a 1.0 log.
const zeroHash = "0000000000000000000000000000000000000000000000000000000000000000"

var envelopes = withRequired(map[string]*envelope{
	V0: {
		types: typesV0, number: sequenceNumber, link: prevEventHash, chained: true, tables: true, versions: true,
		shapes: [memberCount]shape{
			eventID: aText, sessionID: aText, sequenceNumber: aUint, timestampWall: aText, timestampMonotonic: maybeUint,
			typeName: aText, sourceSDKVer: maybeText, schemaVer: maybeText, payloadHash: aText, prevEventHash: aLink,
			eventHash: aText, payloadMember: anObject, chainAuthority: maybeText, authorityID: maybeText,
			signature: tolerated, hmacMember: tolerated, sealHMAC: tolerated,
		},
	},
	V1: {
		types: typesV1, number: seqMember, link: prevHash, first: 1, genesis: zeroHash, chained: true, whole: true, ordered: true,
		shapes: [memberCount]shape{
			seqMember: aUint, typeName: aText, sessionID: aText, timestamp: aText, payloadMember: anObject,
			prevHash: aText, eventHash: aText, signature: tolerated, hmacMember: tolerated, sealHMAC: tolerated,
		},
	},
	V1B: {
		types: typesV1, number: noMember, link: prevHash, genesis: zeroHash, chained: true, whole: true, inner: true,
		shapes: [memberCount]shape{
			eventID: aText, typeName: aText, timestamp: aText, payloadMember: anObject, prevHash: aText, eventHash: aText,
			sessionID: maybeText, signature: tolerated, hmacMember: tolerated, sealHMAC: tolerated,
		},
	},
	Bare: {
		types: typesV0, number: sequenceNumber, link: noMember, tables: true,
		shapes: [memberCount]shape{
			typeName: aText, payloadMember: anObject, sessionID: maybeText, sequenceNumber: maybeUint, seqMember: maybeUint,
			eventID: tolerated, timestampWall: tolerated, timestampMonotonic: tolerated, sourceSDKVer: tolerated, schemaVer: tolerated,
			chainAuthority: tolerated, authorityID: tolerated, timestamp: tolerated, signature: tolerated, hmacMember: tolerated, sealHMAC: tolerated,
		},
	},
})

func withRequired(all map[string]*envelope) map[string]*envelope {
	for _, env := range all {
		for m, s := range env.shapes {
			if s.required() {
				env.required |= 1 << m
			}
		}
	}
	return all
}

// signed are the members of the 14-field envelope that its event hash covers, in the
// order of their canonical form.
var signed = []member{eventID, typeName, payloadHash, prevEventHash, sequenceNumber, sessionID, timestampWall}

// versions are the values of schema_ver that the 14-field envelope has had. Bit i of
// a set stands for versions[i]; noVersion for an event without one.
var versions = []string{"v0.2", "v0.4", "v0.5", "v0.6"}

const (
	versionV06 = 1 << 3
	noVersion  = 1 << 7
)
