package trace

import (
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
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

	Transcript Family = "transcript" // coding agent; Report.Format names it
)

func (f Family) session() bool {
	return f == SessionV0 || f == SessionV1 || f == SessionV1B || f == SessionBare
}

// FamilyOf returns the family of logs with the given first record, or Unknown.
func FamilyOf(record []byte) Family {
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(record)
	if err != nil || !doc.Root().Is(strictjson.Object) {
		return Unknown
	}
	return familyOf(doc.Root())
}

// Continues reports whether a record is the first one of a session log that continues another one, as `cupel record`
// writes it in a new file. Each file of such a log is a session.
func Continues(record []byte) bool {
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(record)
	return err == nil && session.Continues(doc.Root())
}

// familyOf returns the family of a record by its members. Each test assumes that the earlier ones failed.
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

// isTrace reports whether a record belongs to a family other than transcripts.
func isTrace(root strictjson.Node) bool { return familyOf(root) != Unknown }
