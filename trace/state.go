package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// StateSchema names the JSON form of State.
const StateSchema = "cupel.state/1"

// State is the complete state of a run over a growing session log. It must be stored where only trusted programs
// can change it.
type State struct {
	Schema     string         `json:"schema"`
	Terms      Terms          `json:"terms"` // options of the run
	Family     Family         `json:"family"`
	Offset     int64          `json:"offset"` // bytes that were verified
	Line       int            `json:"line"`   // number of the next line
	Tail       []byte         `json:"tail"`   // the last bytes before Offset
	Blank      int64          `json:"blank"`
	Unreadable int64          `json:"unreadable"`
	Errors     int            `json:"errors"`
	Warnings   int            `json:"warnings"`
	Rejected   bool           `json:"rejected"`
	Session    *session.State `json:"session"` // state of the session checker; private format
}

// Start returns the offset at which the next run's input must start: slightly before Offset, so that the run can
// check that it is the same log.
func (s *State) Start() int64 { return s.Offset - int64(len(s.Tail)) }

// Check returns an error for a malformed state.
func (s *State) Check() error {
	switch {
	case s.Schema != StateSchema:
		return fmt.Errorf("the state's schema is %q, expected %q", s.Schema, StateSchema)
	case s.Session == nil, s.Start() < 0, s.Line < 1:
		return errors.New("the state is incomplete")
	case len(s.Terms) == 0:
		return errNoTerms
	}
	return nil
}

var errNoTerms = errors.New("the state does not say under which version and options it was written")

// CheckOptions returns an error if a run with opt cannot continue from s, because the version of cupel or the named
// options differ.
func (s *State) CheckOptions(opt Options) error {
	if len(s.Terms) == 0 {
		return errNoTerms
	}
	differ := s.Terms.differ(termsOf(&opt))
	if len(differ) == 0 {
		return nil
	}
	return fmt.Errorf("the state was written under %s", others(differ))
}

func (s *State) place() stream.Place {
	return stream.Place{Offset: s.Offset, Line: s.Line, Tail: s.Tail}
}

// recognises reads the bytes before Offset and reports whether they match the state.
func (s *State) recognises(input io.Reader) (bool, error) {
	tail := make([]byte, len(s.Tail))
	_, err := io.ReadFull(input, tail)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return false, nil
	}
	return bytes.Equal(tail, s.Tail), err
}

// after adds the counts of an earlier state.
func (s *State) after(before *State) {
	s.Blank += before.Blank
	s.Unreadable += before.Unreadable
	s.Errors += before.Errors
	s.Warnings += before.Warnings
	s.Rejected = s.Rejected || before.Rejected
}

// notCovered describes what earlier runs verified.
func (s *State) notCovered() string {
	return fmt.Sprintf("the first %s in this run: an earlier one verified them and found %s", say.Counted(s.Offset, "byte"), say.Counted(s.Errors, "error"))
}
