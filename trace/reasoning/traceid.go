package reasoning

import (
	"crypto/sha256"
	"hash"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// idPrefix starts a trace id; the SHA-256 of the trace's canonical text follows.
const idPrefix = "trace_v1_"

// traceID recomputes the id that a header states. The canonical text is one object;
// its members in order are canonicalization_version, events and then the rest, so
// that the events can be hashed as they come.
type traceID struct {
	sum     hash.Hash // nil: there is no id to recompute
	stated  text
	rec     record
	after   []byte
	any     bool // an event has been written
	matches bool
}

// canonicalHeader writes the canonical trace around its events.
func (w *worker) canonicalHeader(out found) (before, after []byte) {
	add := func(dst []byte, name string, n strictjson.Node, absent string) []byte {
		dst = append(append(append(dst, '"'), name...), `":`...)
		if n.Exists() {
			return w.canon.Append(dst, n)
		}
		return append(dst, absent...)
	}
	before = append(add([]byte{'{'}, "canonicalization_version", out[4], "1"), `,"events":[`...)
	after = []byte("],")
	version := out[1]
	if !version.Exists() {
		version = out[2]
	}
	for i, m := range []struct {
		name   string
		node   strictjson.Node
		absent string
	}{
		{"fingerprint_algo", out[3], `"sha256"`},
		{"metadata", out[9], "{}"},
		{"plan_id", out[8], "null"},
		{"runtime_protocol_version", out[5], "1"},
		{"schema_version", version, "1"},
		{"spec_id", out[7], "null"},
	} {
		if i > 0 {
			after = append(after, ',')
		}
		after = add(after, m.name, m.node, m.absent)
	}
	return before, append(after, '}')
}

// begin starts the text with the header's part.
func (id *traceID) begin(r *record, h *header) {
	if h.before == nil {
		return
	}
	id.sum = sha256.New()
	id.sum.Write(h.before)
	id.stated, id.after, id.rec = h.id, h.after, *r
	id.stated.bytes = append([]byte(nil), h.id.bytes...)
	id.rec.line.Bytes = append([]byte(nil), r.line.Bytes...)
}

// write adds events, each after a comma.
func (id *traceID) write(events []byte) {
	if id.sum == nil || len(events) == 0 {
		return
	}
	if !id.any {
		events = events[1:]
	}
	id.any = true
	id.sum.Write(events)
}

// finishID compares the id that the header states with the content's.
func (c *Checker) finishID() {
	id := &c.id
	if id.sum == nil {
		if c.opt.CheckIDs {
			f := Finding{Rule: "id.trace_mismatch", Severity: finding.Error, Path: "id", Message: "the trace states no id that could be checked"}
			c.findings.Add(f)
		}
		return
	}
	id.sum.Write(id.after)
	var sum digest.Sum
	id.sum.Sum(sum[:0])
	want := idPrefix + sum.Hex()
	id.matches = string(id.stated.bytes) == want
	if id.matches {
		return
	}
	f := point(id.rec.line, "id.trace_mismatch", "id", id.stated.at, "the trace's id is not the fingerprint of its content")
	f.Expected, f.Found = want, id.stated.String()
	if len(f.Found) > len(want) {
		f.Found = preview(id.stated.bytes)
	}
	if c.opt.CheckIDs {
		f.Severity = finding.Error
	}
	c.findings.Add(f)
}
