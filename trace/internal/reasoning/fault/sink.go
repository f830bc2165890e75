package fault

import (
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Where is the event that a finding is about.
type Where struct {
	Line stream.Line
	Idx  int64
}

// Finding makes a finding at a place of the event's line.
func (w *Where) Finding(id rule.ID, path string, at Place, message string) finding.Finding {
	f := At(w.Line, id, path, at, message)
	idx := w.Idx
	f.Index = &idx
	return f
}

// Sink takes the findings about what events mean.
type Sink struct {
	*stream.Findings
	Prefix string // of the paths of an event's members: "event." in the wrapped shape
	Before bool   // the run that this one goes on from has rejected the trace
}

// Rejected says whether the trace has a structural fault: nothing else of it counts.
func (s *Sink) Rejected() bool { return s.Before || s.Findings.Rejected() }

// Path is the path of a member of an event.
func (s *Sink) Path(name string) string { return s.Prefix + name }

// Event adds a finding about an event, unless it would only be counted anyway.
func (s *Sink) Event(w *Where, id rule.ID, path string, at Place, message string, more ...func(*finding.Finding)) {
	severity := id.Severity()
	if s.Full(severity, w.Line, int(at.Start)) {
		s.Count(severity, 1)
		return
	}
	f := w.Finding(id, path, at, message)
	for _, add := range more {
		add(&f)
	}
	s.Add(f)
}

// Note adds a finding about the trace as a whole.
func (s *Sink) Note(id rule.ID, message string) { s.Add(id.New(message)) }

// Compared adds the two sides of a comparison to a finding.
func Compared(expected, found string) func(*finding.Finding) {
	return func(f *finding.Finding) { f.Expected, f.Found = expected, found }
}

// Noted adds a sentence to a finding.
func Noted(note string) func(*finding.Finding) {
	return func(f *finding.Finding) { f.Notes = []string{note} }
}

// MaxNames bounds the names that a part remembers in full, for findings at the end.
const MaxNames = 1_000
