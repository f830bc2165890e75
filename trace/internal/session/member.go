package session

import "github.com/cupel-dev/cupel/internal/strictjson"

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

// covered reports whether the event hash includes the member. This is for envelopes that hash the whole event.
func (m member) covered() bool { return m != eventHash && m != signature }

// memberOf returns the member with the key of n, or noMember.
func memberOf(n strictjson.Node) member {
	for m := range memberCount {
		if n.KeyIs(m.String()) {
			return m
		}
	}
	return noMember
}
