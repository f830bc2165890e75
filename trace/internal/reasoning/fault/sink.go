package fault

import (
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Where locates the event of a finding.
type Where struct {
	Line stream.Line
	Idx  int64
}

// Sink collects the findings about the meaning of events.
type Sink struct {
	*stream.Findings
	*Log
	Before bool // the run that this one goes on from has rejected the trace
}

// Rejected reports whether the trace has a structural fault, which makes other findings irrelevant.
func (s *Sink) Rejected() bool { return s.Before || s.Findings.Rejected() }

// Event adds a finding about an event, unless the report's limit is reached and it is only counted.
func (s *Sink) Event(w *Where, id rule.ID, path string, at Place, message string, more ...func(*finding.Finding)) {
	if s.Spare(id.Severity(), w.Line, at) {
		return
	}
	f := s.Finding(w, id, path, at, message)
	for _, add := range more {
		add(&f)
	}
	s.Add(f)
}

// Spare counts a finding beyond the limit and returns true, which saves the caller the explanation.
func (s *Sink) Spare(severity finding.Severity, l stream.Line, at Place) bool {
	full := s.Full(severity, l, int(at.Start))
	if full {
		s.Count(severity, 1)
	}
	return full
}

// SpareRejection is Spare for structural faults.
func (s *Sink) SpareRejection(l stream.Line, at Place) bool {
	full := s.FullOfRejections(l, int(at.Start))
	if full {
		s.CountRejection()
	}
	return full
}

// Note adds a finding about the whole trace.
func (s *Sink) Note(id rule.ID, message string) { s.Add(id.New(message)) }

// Compared adds the two sides of a comparison to a finding.
func Compared(expected, found string) func(*finding.Finding) {
	return func(f *finding.Finding) { f.Expected, f.Found = expected, found }
}

// Noted adds a sentence to a finding.
func Noted(note string) func(*finding.Finding) {
	return func(f *finding.Finding) { f.Notes = []string{note} }
}

// MaxNames limits the names that a part keeps for findings at the end.
const MaxNames = 1_000
