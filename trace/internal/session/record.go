package session

import (
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// record is the line being read and the destination of its findings.
type record struct {
	line    source.Line
	doc     *strictjson.Document
	nodes   [memberCount]strictjson.Node // the envelope's members, null ones included
	covered []strictjson.Node            // all members but event_hash and signature, where the hash covers them
	out     *batchFindings
	event   int // index in the batch
}

func (r *record) begin(l source.Line, doc *strictjson.Document, out *batchFindings, event int) {
	r.line, r.doc, r.out, r.event = l, doc, out, event
	r.nodes = [memberCount]strictjson.Node{}
	r.covered = r.covered[:0]
}

// locate finds the members of a line that has the envelope's shape.
func (r *record) locate(covered bool) {
	for n := range r.doc.Root().Children() {
		m := memberOf(n)
		if covered && m.covered() {
			r.covered = append(r.covered, n)
		}
		if m != noMember {
			r.nodes[m] = n
		}
	}
}

func (r *record) reject(f finding.Finding, at span) {
	source.Point(&f, r.line, int(at.start), int(at.end))
	r.out.findings.Reject(f)
}

func (r *record) add(f finding.Finding, at span) {
	source.Point(&f, r.line, int(at.start), int(at.end))
	r.out.findings.Add(f)
}

// full reports whether a finding would be dropped because of the limit. If so, it counts the finding, and the
// caller need not build its message.
func (r *record) full(s finding.Severity, at span) bool {
	if !r.out.findings.Full(s, r.line, int(at.start)) {
		return false
	}
	r.out.findings.Count(s, 1)
	return true
}

func (r *record) note(about noteSubject, n strictjson.Node, at span, where place) {
	r.out.notes = append(r.out.notes, note{about, r.event, keySpanOf(n), at, where, nil})
}

// fail stops the run with an error.
func (r *record) fail(err error) {
	if r.out.err == nil {
		r.out.err = source.AtLine(r.line.Number, err)
	}
}
