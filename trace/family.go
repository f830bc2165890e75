package trace

import (
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/stream"
)

// Family is a kind of log.
type Family string

// The families.
const (
	Unknown     Family = ""
	Reasoning   Family = "reasoning"    // the trace format, wrapped or flat
	SessionV0   Family = "session-v0"   // the envelope of 14 members
	SessionV1   Family = "session-v1"   // the envelope of 7 members
	SessionV1B  Family = "session-v1b"  // the envelope of 6 members, without numbers
	SessionBare Family = "session-bare" // payloads without hashes
)

// familyOf tells a family by a record's members. The order of the questions matters:
// each later one is asked only of records that are none of the earlier.
func familyOf(record strictjson.Node) Family {
	has := func(name string) bool { return record.Get(name).Exists() }
	switch {
	case has("record"), has("kind") && !has("event_type"):
		return Reasoning
	case has("payload_hash"), has("prev_event_hash"):
		return SessionV0
	case has("prev_hash") && has("seq"):
		return SessionV1
	case has("prev_hash"):
		return SessionV1B
	case has("event_hash") && has("sequence_number"):
		return SessionV0
	case has("event_hash") && has("seq"):
		return SessionV1
	case has("event_type") && has("payload"):
		return SessionBare
	case has("trace_schema_version"), has("schema_version"), has("fingerprint_algo"), has("canonicalization_version"):
		return Reasoning
	}
	return Unknown
}

// unknown is the checker of a log whose family nobody knows.
type unknown struct {
	findings *stream.Findings
	line     int
}

func (u *unknown) Worker() stream.Worker { return ignore{} }

func (u *unknown) Finish() (stream.Outcome, error) {
	u.findings.Reject(Finding{
		Rule: "envelope.unknown", Line: u.line,
		Message: "the first record is neither of a reasoning trace nor of a session log",
		Help:    "a reasoning trace has \"record\" or \"kind\", a session log \"event_type\" and \"payload\"",
	})
	return stream.Outcome{}, nil
}

type ignore struct{}

func (ignore) Line(stream.Line, *strictjson.Document) {}
func (ignore) Unreadable(stream.Line, Finding)        {}
func (ignore) Flush() func() error                    { return nil }

// broken is the checker of a log that cannot be checked for want of something else.
type broken struct{ err error }

func (b broken) Worker() stream.Worker { return ignore{} }

func (b broken) Finish() (stream.Outcome, error) { return stream.Outcome{}, b.err }
