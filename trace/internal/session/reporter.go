package session

import (
	"fmt"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// reporter collects findings in file order and counts the errors that affect integrity.
type reporter struct {
	findings *stream.Findings
	said     map[noteSubject]bool // notes that were made
	most     int                  // notes that are remembered
	broken   int64
	lineName func(line, from int) (name string, elsewhere bool) // Options.LineName
	err      error                                              // the first line that could not be read again
}

// first reports a note if it is the first of its kind.
func (r *reporter) first(n *note, e *event) {
	if len(r.said) >= r.most || r.said[n.noteSubject] {
		return
	}
	r.said[n.noteSubject] = true
	if !r.full(e, rules[n.rule].Severity, n.at) && r.fetched(e) {
		r.findings.Add(n.explain(e))
	}
}

// notCovered returns a limitation if there were too many kinds of notes to track.
func (r *reporter) notCovered() []string {
	if len(r.said) < r.most {
		return nil
	}
	return []string{fmt.Sprintf("notes on members that the format does not know, after the first %d: the limit of remembered ids was reached", r.most)}
}

// remark is the content of a finding about an event.
type remark struct {
	rule     rule
	at       member // where it points
	cause    string // the root that it follows from; "" for a root
	message  string
	expected string
	found    string
	quote    func(*remark) // adds data of the event's line if the finding is kept; can be nil
}

// fault reports an error that affects integrity.
func (r *reporter) fault(e *event, m remark) {
	r.broken++
	r.note(e, m)
}

// note reports a finding that does not affect integrity.
func (r *reporter) note(e *event, m remark) {
	if r.full(e, rules[m.rule].Severity, e.spans[m.at]) || !r.fetched(e) {
		return
	}
	if m.quote != nil {
		full := m
		m.quote(&full)
		m = full
	}
	at := e.spans[m.at]
	f := rules[m.rule].New(m.message)
	f.Path, f.Expected, f.Found, f.CausedBy, f.Index = m.at.String(), m.expected, m.found, m.cause, e.index()
	if m.at == payloadMember {
		at.end = at.start + 1
	}
	source.Point(&f, e.line, int(at.start), int(at.end))
	r.findings.Add(f)
}

// full reports whether a finding would be dropped because of the limit. If so, it counts the finding, and the
// caller need not build its message.
func (r *reporter) full(e *event, s finding.Severity, at span) bool {
	if !r.findings.Full(s, e.line, int(at.start)) {
		return false
	}
	r.findings.Count(s, 1)
	return true
}

// fetched reports whether the event's line could be reread. A failure stops the replay.
func (r *reporter) fetched(e *event) bool {
	err := e.fetch()
	if err != nil && r.err == nil {
		r.err = err
	}
	return err == nil
}

// unmet reports an error about the whole log that affects integrity.
func (r *reporter) unmet(f finding.Finding) {
	r.broken++
	r.findings.Add(f)
}

// line returns the name of another event's line and whether it is in another file.
func (r *reporter) line(line int, e *event) (name string, elsewhere bool) {
	if r.lineName == nil {
		return fmt.Sprintf("line %d", line), false
	}
	return r.lineName(line, e.line.Number)
}

// causeOf returns a reference to a rule's finding on an event, for findings that it causes.
func causeOf(r rule, e *event) string { return causeAt(rules[r].ID, e.line.Number) }

func causeAt(id string, line int) string { return fmt.Sprintf("%s@%d", id, line) }
