// Package session verifies session event logs: what an agent's runtime recorded, one
// event a line, each linked to the one before by a hash.
//
// Three envelopes are found in the field, and logs without any:
//
//	session-v0    14 members, schema_ver v0.2 to v0.6; genesis null, numbers from 0
//	session-v1    7 members (1.0); genesis 64 zeros, numbers from 1
//	session-v1b   6 members, without numbers
//	session-bare  event_type and payload alone
//
// The hashes of session-v0 are SHA-256 over canonical JSON (RFC 8785): payload_hash
// over the payload, event_hash over an object of exactly event_id, event_type,
// payload_hash, prev_event_hash, sequence_number, session_id and timestamp_wall. In
// the 1.0 envelopes event_hash covers every member but itself and a signature. For a
// payload without numbers, whose members are sorted, anyone can repeat it:
//
//	printf '{"reason":"done"}' | sha256sum
//
// Payloads of session-v0 and bare logs follow the tables of SCHEMA.md v0.2; see
// Schema. The package verifies streams through trace.Verify.
package session

// The families of session logs.
const (
	V0   = "session-v0"
	V1   = "session-v1"
	V1B  = "session-v1b"
	Bare = "session-bare"
)

// Engine is what writes canonical forms and validates payloads.
type Engine string

// The engines. Canonicalizations other than RFC 8785 exist in cupel's own alone.
const (
	Fast      Engine = "fast"      // cupel's own
	Reference Engine = "reference" // independent libraries
	Both      Engine = "both"      // both; a disagreement is an error
)

// Options say how to verify a session log. The zero value verifies by the letter of
// the formats, under every canonicalization that real logs were hashed under.
type Options struct {
	Engine Engine // "" is Fast

	StrictPayload bool // a member outside the payload table is an error, not a note
	IntegrityOnly bool // leave payload rules out: the verdict is that of the chain

	// Canonicalization is "" or "auto" for RFC 8785 and then each profile of real logs,
	// "strict" for RFC 8785 alone, or the name of one profile. See Canonicalizations.
	Canonicalization string

	HMACKey []byte // key of the seal's HMAC; nil leaves it unchecked

	ExpectCount *int64  // how many events the log must have; nil asks for nothing
	ExpectHead  string  // the hash that its last event must have, 64 lower-case digits; "" asks for nothing
	Anchor      *Anchor // what the log's beginning must be; nil asks for nothing
	Growing     bool    // more events are to come: rules about the log's end do not apply
	Resume      *State  // where an earlier run stopped; nil starts afresh
}

// Anchor is how far a log was at another time: it must still begin like that.
type Anchor struct {
	Events int64  `json:"events"`
	Head   string `json:"head"` // hash of the last event then; "" for a log without hashes
}

// pinned says whether something outside the log fixes its end.
func (o Options) pinned() bool { return o.ExpectHead != "" || o.ExpectCount != nil || o.Anchor != nil }
