// Package session verifies session event logs of agent runtimes: one event per line, linked by hashes.
//
// There are three envelopes, and logs without one:
//
//	session-v0    14 members, schema_ver v0.2 to v0.6; genesis null, numbers from 0
//	session-v1    7 members (1.0); genesis 64 zeros, numbers from 1
//	session-v1b   6 members, without numbers
//	session-bare  event_type and payload only
//
// In session-v0, hashes are SHA-256 over canonical JSON (RFC 8785): payload_hash over the payload, event_hash over
// an object of exactly event_id, event_type, payload_hash, prev_event_hash, sequence_number, session_id and
// timestamp_wall. In 1.0, event_hash covers every member except itself and a signature.
//
// Payloads of session-v0 and bare logs follow the tables of SCHEMA.md v0.2; package schemas has them as JSON
// Schemas.
//
// Verification has two passes. Readers process single lines concurrently: shape, hashes, payload. Parts process
// events in file order with private state and rules; shared data is stored on the event.
package session
