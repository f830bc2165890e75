package session

import (
	"fmt"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// reporter takes what readers and parts find, in file order, and counts the errors that
// touch the log's integrity.
type reporter struct {
	findings *stream.Findings
	said     map[said]bool // notes that were made
	most     int           // notes that are remembered
	broken   int64
	lineName func(line, from int) (name string, elsewhere bool) // Options.LineName
}

// merge takes over what the readers of a block have found.
func (r *reporter) merge(b *batch) {
	r.findings.Merge(b.findings)
	for i := range b.notes {
		n := &b.notes[i]
		if len(r.said) < r.most && !r.said[n.said] {
			r.said[n.said] = true
			r.once(n, &b.events[n.event])
		}
	}
	r.broken += b.broken
}

// once takes the first note of its kind.
func (r *reporter) once(n *note, e *event) {
	severity := rules[n.rule].Severity
	if r.findings.Full(severity, e.line, int(n.at.start)) {
		r.findings.Count(severity, 1)
		return
	}
	r.findings.Add(n.explain(e))
}

// notCovered says when there were too many kinds of notes to tell which are new.
func (r *reporter) notCovered() []string {
	if len(r.said) < r.most {
		return nil
	}
	return []string{fmt.Sprintf("notes on members that the format does not know, after the first %d: the limit of remembered ids was reached", r.most)}
}

// remark is what a rule says of an event, before it is known whether it will be kept.
type remark struct {
	rule     rule
	at       member // where it points
	cause    string // the root that it follows from; "" for a root
	message  string
	expected string
	found    string
}

// fault reports an error that touches integrity.
func (r *reporter) fault(e *event, m remark) {
	r.broken++
	r.note(e, m)
}

// note reports what leaves integrity alone.
func (r *reporter) note(e *event, m remark) {
	severity := rules[m.rule].Severity
	at := e.spans[m.at]
	if r.findings.Full(severity, e.line, int(at.start)) {
		r.findings.Count(severity, 1)
		return
	}
	f := rules[m.rule].New(m.message)
	f.Path, f.Expected, f.Found, f.CausedBy, f.Index = m.at.String(), m.expected, m.found, m.cause, e.index()
	if m.at == payloadMember {
		at.end = at.start + 1
	}
	source.Point(&f, e.line, int(at.start), int(at.end))
	r.findings.Add(f)
}

// unmet reports an error of the log as a whole that touches its integrity.
func (r *reporter) unmet(f finding.Finding) {
	r.broken++
	r.findings.Add(f)
}

// line names a line in a message about an event on another, and says whether the two stand
// in different files.
func (r *reporter) line(line int, e *event) (name string, elsewhere bool) {
	if r.lineName == nil {
		return fmt.Sprintf("line %d", line), false
	}
	return r.lineName(line, e.line.Number)
}

// causeOf names a rule's finding on an event as the cause of others.
func causeOf(r rule, e *event) string { return causeAt(rules[r].ID, e.line.Number) }

func causeAt(id string, line int) string { return fmt.Sprintf("%s@%d", id, line) }
