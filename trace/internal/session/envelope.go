package session

// The families of session logs.
const (
	V0   = "session-v0"
	V1   = "session-v1"
	V1B  = "session-v1b"
	Bare = "session-bare"
)

// shape is the type that an envelope requires of a member.
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

// envelope describes the rules of one family of session logs.
type envelope struct {
	types    typeSet // of its events
	shapes   [memberCount]shape
	number   member // sequence number, or noMember
	link     member // the hash of the event before
	wall     member // the time of day; noMember when events need none
	first    uint64 // the first sequence number
	genesis  string // the first link; "" is null
	chained  bool
	tables   bool // payloads follow the tables of SCHEMA v0.2
	tables10 bool // … of SCHEMA 1.0
	versions bool // schema_ver names the envelope's version
	whole    bool // the event's hash covers the whole event; else the signed members alone
	inner    bool // the session id is in the payload
	ordered  bool // SESSION_START opens and SESSION_END or CHAIN_SEAL closes the log
}

// zeroHash is the prev link of the first event in a 1.0 log.
const zeroHash = "0000000000000000000000000000000000000000000000000000000000000000"

func envelopeOf(family string) *envelope {
	switch family {
	case V0:
		return &envelopeV0
	case V1:
		return &envelopeV1
	case V1B:
		return &envelopeV1B
	}
	return &envelopeBare
}

var (
	envelopeV0 = envelope{
		types: typesV0, number: sequenceNumber, link: prevEventHash, wall: timestampWall, chained: true, tables: true, versions: true,
		shapes: [memberCount]shape{
			eventID: aText, sessionID: aText, sequenceNumber: aUint, timestampWall: aText, timestampMonotonic: maybeUint,
			typeName: aText, sourceSDKVer: maybeText, schemaVer: maybeText, payloadHash: aText, prevEventHash: aLink,
			eventHash: aText, payloadMember: anObject, chainAuthority: maybeText, authorityID: maybeText,
			signature: tolerated, hmacMember: tolerated, sealHMAC: tolerated,
		},
	}
	envelopeV1 = envelope{
		types: typesV1, number: seqMember, link: prevHash, wall: timestamp, first: 1, genesis: zeroHash, chained: true, whole: true, ordered: true, tables10: true,
		shapes: [memberCount]shape{
			seqMember: aUint, typeName: aText, sessionID: aText, timestamp: aText, payloadMember: anObject,
			prevHash: aText, eventHash: aText, signature: tolerated, hmacMember: tolerated, sealHMAC: tolerated,
		},
	}
	envelopeV1B = envelope{
		types: typesV1, number: noMember, link: prevHash, wall: timestamp, genesis: zeroHash, chained: true, whole: true, inner: true, ordered: true,
		shapes: [memberCount]shape{
			eventID: aText, typeName: aText, timestamp: aText, payloadMember: anObject, prevHash: aText, eventHash: aText,
			sessionID: maybeText, signature: tolerated, hmacMember: tolerated, sealHMAC: tolerated,
		},
	}
	envelopeBare = envelope{
		types: typesV0, number: sequenceNumber, link: noMember, wall: noMember, tables: true,
		shapes: [memberCount]shape{
			typeName: aText, payloadMember: anObject, sessionID: maybeText, sequenceNumber: maybeUint, seqMember: maybeUint,
			eventID: tolerated, timestampWall: tolerated, timestampMonotonic: tolerated, sourceSDKVer: tolerated, schemaVer: tolerated,
			chainAuthority: tolerated, authorityID: tolerated, timestamp: tolerated, signature: tolerated, hmacMember: tolerated, sealHMAC: tolerated,
		},
	}
)

func (env *envelope) required() (set uint32) {
	for m, s := range env.shapes {
		if s.required() {
			set |= 1 << m
		}
	}
	return set
}

// ids reports whether all events must have distinct ids.
func (env *envelope) ids() bool { return env.chained && env.shapes[eventID] == aText }

// linkMember returns the member with the hash of the previous event. Bare logs do not have it.
func (env *envelope) linkMember() member {
	if env.link == noMember {
		return prevHash
	}
	return env.link
}

// notCovered returns what the envelope cannot prove.
func (env *envelope) notCovered() (list []string) {
	if env.versions {
		list = append(list, "chain_authority, schema_ver, source_sdk_ver, authority_id and timestamp_monotonic: no hash covers them, so the evidence class is the log's own claim")
	}
	if env.whole && !env.tables10 {
		list = append(list, "payload fields: cupel has no table for the payload schema of this envelope, and checks only that each payload is an object")
	}
	return list
}
