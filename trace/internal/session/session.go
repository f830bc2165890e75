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
// Payloads of session-v0 and bare logs follow the tables of SCHEMA.md v0.2; the
// package schemas has them as JSON Schemas.
//
// The work is done in two passes. Readers look at one line alone, on any core: its
// shape, its hashes, its payload. Parts take the events in file order; each has a state
// and rules of its own, and what several need stands on the event.
//
// The package verifies streams through trace.Verify.
package session
