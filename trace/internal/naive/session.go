package naive

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
)

// Options are the options of session log verification that affect the result.
type Options struct {
	Limits           Limits
	Expected         Expected
	IntegrityOnly    bool                // leave out what payloads say
	StrictPayload    bool                // a member outside the tables is an error
	Canonicalization string              // "" or "auto", "strict", or the name of one
	HMACKey          []byte              // key of the seal's HMAC; nil leaves it unchecked
	TrustedKeys      []ed25519.PublicKey // one of them must have signed; none: the log's own
}

// SessionRules are the rules that Session judges. "line" represents every rule about the syntax of a line.
var SessionRules = []string{
	Unreadable, "envelope.unknown", "field.missing", "field.type", "field.unknown", "event.type_unknown", "version.unsupported",
	"sequence.gap", "sequence.repeat", "chain.genesis", "chain.broken", "chain.absent", "hash.payload", "hash.event",
	"session.mismatch", "authority.mixed", "version.absent", "version.mixed", "session.start", "session.unfinished",
	"seal.not_last", "seal.final_hash", "seal.metadata_missing", "seal.digest", "seal.digest_unrecognised", "seal.authority", "seal.hmac",
	"signature.invalid", "signature.missing", "signature.untrusted_key", "signature.unchecked", "merkle.root", "log_drop", "log_drop.count_invalid",
	"tool.id_unmatched", "tool.name_mismatch", "tool.unanswered", "redaction.hash_missing", "redaction.hash_differs", "payload.unknown", "payload.null_optional",
	"anchor.sha256", "anchor.prefix", "anchor.count", "anchor.head",
	"event.id_duplicate", "event.id_format", "timestamp.format", "timestamp.backwards",
}

// envelope is a family of session logs: member names with JSON types, "?" for optional, "*" for any type.
type envelope struct {
	members map[string]string
	types   string // the closed set of event types
}

const (
	typesV0 = " SESSION_START SESSION_END MODEL_REQUEST MODEL_RESPONSE TOOL_CALL TOOL_RESULT AGENT_STATE_SNAPSHOT DECISION_TRACE ERROR ANNOTATION CHAIN_SEAL LOG_DROP "
	typesV1 = " SESSION_START SESSION_END LLM_CALL LLM_RESPONSE TOOL_CALL TOOL_RESULT TOOL_ERROR LOG_DROP CHAIN_SEAL CHAIN_BROKEN REDACTION FORENSIC_FREEZE "
)

var envelopes = map[string]envelope{
	"session-v0": {types: typesV0, members: map[string]string{
		"event_id": "string", "session_id": "string", "sequence_number": "number", "timestamp_wall": "string", "timestamp_monotonic": "?number",
		"event_type": "string", "source_sdk_ver": "?string", "schema_ver": "?string", "payload_hash": "string", "prev_event_hash": "string or null",
		"event_hash": "string", "payload": "object", "chain_authority": "?string", "authority_id": "?string",
		"signature": "*", "hmac": "*", "seal_hmac": "*",
	}},
	"session-v1": {types: typesV1, members: map[string]string{
		"seq": "number", "event_type": "string", "session_id": "string", "timestamp": "string", "payload": "object",
		"prev_hash": "string", "event_hash": "string", "signature": "*", "hmac": "*", "seal_hmac": "*",
	}},
	"session-v1b": {types: typesV1, members: map[string]string{
		"event_id": "string", "event_type": "string", "timestamp": "string", "payload": "object",
		"prev_hash": "string", "event_hash": "string", "session_id": "?string", "signature": "*", "hmac": "*", "seal_hmac": "*",
	}},
	"session-bare": {types: typesV0, members: map[string]string{
		"event_type": "string", "payload": "object", "session_id": "?string", "sequence_number": "?number", "seq": "?number",
	}},
}

// ErrFamily means that a log is not a session log.
var ErrFamily = errors.New("the first readable record is not of a session log")

// ErrLayout means that a log is a JSON array or an object with a list, instead of JSON lines.
var ErrLayout = errors.New("the log is not JSON lines")

// FamilyOf returns a record's family by its members, or "".
func FamilyOf(members map[string]any) string {
	has := func(names ...string) bool {
		for _, name := range names {
			if _, ok := members[name]; !ok {
				return false
			}
		}
		return true
	}
	switch {
	case has("record"), has("kind") && !has("event_type"):
		return ""
	case has("payload_hash"), has("prev_event_hash"):
		return "session-v0"
	case has("prev_hash", "seq"):
		return "session-v1"
	case has("prev_hash"):
		return "session-v1b"
	case has("event_hash", "sequence_number"):
		return "session-v0"
	case has("event_hash", "seq"):
		return "session-v1"
	case has("event_type", "payload"):
		return "session-bare"
	}
	return ""
}

// event is one event of the log, decoded.
type event struct {
	record
	kind     string
	payload  map[string]any
	session  string
	hasID    bool
	number   uint64
	numbered bool
	first    uint64 // the number that a first event has
	hash     string
	prev     any // string or nil
	version  string
}

// session is a log under check; each concern is a separate type.
type session struct {
	statements
	opt    Options
	family string
	envelope
	key    ed25519.PublicKey
	events []event // the good ones, in file order
	broken bool

	authenticated bool // the HMAC of a seal holds
}

func (s *session) is(families ...string) bool { return slices.Contains(families, s.family) }

func (s *session) chained() bool { return s.family != "session-bare" }

// wrong reports a violation of the log's integrity.
func (s *session) wrong(rule string, line int) {
	s.broken = true
	s.fault(rule, line)
}

func (s *session) integrity() string {
	switch {
	case len(s.structure) > 0:
		return "rejected"
	case s.broken:
		return "invalid"
	case !s.chained():
		return "absent"
	}
	return "valid"
}

// class returns the integrity class that an intact log claims.
func (s *session) class() string {
	if s.integrity() != "valid" {
		return ""
	}
	has := func(kinds ...string) bool {
		return slices.ContainsFunc(s.events, func(e event) bool { return slices.Contains(kinds, e.kind) })
	}
	authority, last := "", event{}
	if len(s.events) > 0 {
		authority, _ = text(s.events[0].members, "chain_authority")
		last = s.events[len(s.events)-1]
	}
	complete := last.kind == "CHAIN_SEAL"
	for _, name := range []string{"ingestion_service_id", "seal_timestamp", "session_digest"} {
		value, _ := text(last.payload, name)
		complete = complete && value != ""
	}
	v0 := s.family == "session-v0"
	if !v0 {
		members := []string{"final_hash", "event_count", "authority", "server_timestamp", "server_version"}
		if s.family == "session-v1b" {
			members = members[:2]
		}
		complete = last.kind == "CHAIN_SEAL" && !slices.ContainsFunc(members, func(name string) bool { return last.payload[name] == nil })
	}
	switch {
	case !v0 && !has("CHAIN_SEAL"), v0 && authority == "sdk":
		return "NON_AUTHORITATIVE_EVIDENCE"
	case v0 && !server(authority):
		return "UNKNOWN_EVIDENCE"
	case has("LOG_DROP", "CHAIN_BROKEN"), !complete, v0 && !has("SESSION_END"):
		return "PARTIAL_AUTHORITATIVE_EVIDENCE"
	}
	return "AUTHORITATIVE_EVIDENCE"
}

func sum(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}
