package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/cupel-dev/cupel/trace/session"
	"github.com/cupel-dev/cupel/trace/stream"
)

// StateSchema names the JSON form of State.
const StateSchema = "cupel.state/1"

// State is where a run over a growing session log stopped, and all it knew. It is as
// trustworthy as the place where it is kept.
type State struct {
	Schema     string         `json:"schema"`
	Family     Family         `json:"family"`
	Offset     int64          `json:"offset"` // bytes that were verified
	Line       int            `json:"line"`   // number of the next line
	Tail       []byte         `json:"tail"`   // the last bytes before Offset
	Blank      int64          `json:"blank"`
	Unreadable int64          `json:"unreadable"`
	Errors     int            `json:"errors"`
	Warnings   int            `json:"warnings"`
	Rejected   bool           `json:"rejected"`
	Session    *session.State `json:"session"`
}

// Start is the offset at which the input of the next run must begin: a little before
// Offset, so that the log is recognised.
func (s *State) Start() int64 { return s.Offset - int64(len(s.Tail)) }

// Check returns an error for a state that no run has written.
func (s *State) Check() error {
	switch {
	case s.Schema != StateSchema:
		return fmt.Errorf("the state's schema is %q, expected %q", s.Schema, StateSchema)
	case s.Session == nil, s.Start() < 0, s.Line < 1:
		return errors.New("the state is incomplete")
	}
	return nil
}

func (s *State) place() stream.Place {
	return stream.Place{Offset: s.Offset, Line: s.Line, Tail: s.Tail}
}

// recognises reads the bytes before Offset and compares them.
func (s *State) recognises(input io.Reader) (bool, error) {
	tail := make([]byte, len(s.Tail))
	_, err := io.ReadFull(input, tail)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return false, nil
	}
	return bytes.Equal(tail, s.Tail), err
}

// replaced is the report on a log that does not continue where the state ends.
func (v *verification) replaced() *Report {
	s := v.opt.Resume
	v.family = s.Family
	v.unmet("anchor.prefix", fmt.Sprintf("the log no longer has the bytes before offset %d that were verified last time", s.Offset), "", "")
	outcome := Outcome{Integrity: string(Invalid), NotCovered: []string{"the whole log: it was cut or replaced since the state was written; verify it without the state"}}
	return v.report(stream.Counts{}, outcome)
}

// state is what the next run must know.
func (v *verification) state(g *stream.Growing, runner *stream.Runner) (*State, error) {
	checker, ok := runner.Checker.(interface {
		State() (*session.State, error)
	})
	if !ok {
		return nil, nil
	}
	memory, err := checker.State()
	if err != nil {
		return nil, err
	}
	s := &State{
		Schema: StateSchema, Family: v.family, Offset: g.Offset, Line: g.Line, Tail: g.Tail, Session: memory,
		Blank: runner.Counts.Blank, Unreadable: runner.Counts.Unreadable, Rejected: v.findings.Rejected(),
	}
	_, _, s.Warnings, s.Errors = v.findings.Close()
	if old := v.opt.Resume; old != nil {
		s.Blank += old.Blank
		s.Unreadable += old.Unreadable
		s.Errors += old.Errors
		s.Warnings += old.Warnings
		s.Rejected = s.Rejected || old.Rejected
	}
	return s, nil
}

// waiting says that the log ends inside a line.
func (r *Report) waiting(length int) {
	if length > 0 {
		r.NotCovered = append(r.NotCovered, fmt.Sprintf("the last %d bytes: a line that is still being written", length))
	}
}
