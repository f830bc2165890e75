package bundle

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/siphash"
)

// Input is what a comparison reads: of any kind, as Verify takes it.
type Input struct {
	Name   string
	Size   int64 // -1: unknown
	Reader io.Reader
}

// CompareOptions say how two inputs are compared. The zero value holds the events in memory
// and has the contract's default limits.
type CompareOptions struct {
	Limits     evidence.Limits
	Jobs       int // workers; default: one for each processor
	Compatible int // see Options.Compatible

	// Spill makes the place for events that may be wanted again and are more than a few
	// megabytes: all of the first input, and those of the second that the first does not
	// have. nil: memory.
	Spill func() (Spill, error)
}

// Comparison is how two inputs compare. An event is its content: what its hash covers.
type Comparison struct {
	A, B Side

	Same     int // events of the same content and in the same order
	Moved    int // … and in another order
	Changed  int // events of the same type and subject, of another content
	Removed  int // events of A alone
	Added    int // events of B alone
	Envelope int // of the events of the same content, moved or not: those with another envelope

	// Attributes are those that differ between events of the same content, with the number
	// of pairs in which they do.
	Attributes []AttributeCount
}

// AttributeCount is an attribute of the envelope, and how many pairs of events differ in it.
type AttributeCount struct {
	Name   string `json:"name"`
	Events int    `json:"events"`
}

// Answered reports whether both inputs could be read to their ends, and every event of them
// has a content hash. Otherwise nothing is said of differences, and the sides have faults.
func (c *Comparison) Answered() bool { return len(c.A.Faults) == 0 && len(c.B.Faults) == 0 }

// Equal reports whether both inputs have the same content in the same order: the same run
// root. Envelopes may differ.
func (c *Comparison) Equal() bool {
	return c.Answered() && c.Moved+c.Changed+c.Removed+c.Added == 0
}

// Side is what a comparison has read of one input.
type Side struct {
	Input    string
	Kind     Kind
	Events   int64
	RunRoot  string // recomputed
	Run      Run
	Mismatch int               // events that record another hash than that of their content
	Faults   []finding.Finding // why the input cannot be compared, the first of them
}

// MarshalJSON writes the element of "inputs" in a cupel.diff/1 document.
func (s *Side) MarshalJSON() ([]byte, error) {
	form := struct {
		Input    string  `json:"input"`
		Kind     Kind    `json:"kind"`
		Events   int64   `json:"events"`
		RunRoot  *string `json:"run_root"`
		Run      *Run    `json:"run"`
		Mismatch int     `json:"mismatched"`
	}{Input: s.Input, Kind: s.Kind, Events: s.Events, RunRoot: orNull(s.RunRoot), Mismatch: s.Mismatch}
	if s.Run.ID != "" {
		form.Run = &s.Run
	}
	return json.Marshal(form)
}

// Compare compares the events of two inputs, of any kinds, by their content. Events of the
// same content belong together, the first of A with the first of B and so on; then those of
// the same type and subject, in the same way. Each is told the differences: all that were
// removed, then all added, changed and moved, and what has the same content in another
// envelope, in their order in A (of the added in B). Whoever exchanges the inputs gets the
// same differences the other way round.
//
// Compare judges no envelopes, and does not compare a bundle with its manifest: that is for
// [Verify]. The inputs are read one after the other. What it holds for each event is at most
// 200 bytes; the texts that it may need again are in the spill.
//
// The error is an [evidence.ReadError], that of ctx, of the spill or of each.
func Compare(ctx context.Context, a, b Input, opt CompareOptions, each func(*Difference) error) (c *Comparison, err error) {
	m := matching{opt: opt, key: siphash.NewKey()}
	defer func() { err = errors.Join(err, m.a.texts.close(), m.b.texts.close()) }()
	if err := m.read(ctx, a, &m.a, m.keep); err != nil {
		return nil, &SideError{Name: a.Name, Err: err}
	}
	m.index()
	if err := m.read(ctx, b, &m.b, m.match); err != nil {
		return nil, &SideError{Name: b.Name, Err: err}
	}
	c = &Comparison{A: m.a.side, B: m.b.side}
	if !c.Answered() {
		return c, nil
	}
	m.byName()
	m.count(c)
	return c, m.tell(c, each)
}

// SideError says which of the two inputs could not be read.
type SideError struct {
	Name string
	Err  error
}

func (e *SideError) Error() string { return e.Name + ": " + e.Err.Error() }

// Unwrap returns why.
func (e *SideError) Unwrap() error { return e.Err }
