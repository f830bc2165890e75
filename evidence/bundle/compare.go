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

// Input is an input of a comparison, of any kind that Verify accepts.
type Input struct {
	Name   string
	Size   int64 // -1: unknown
	Reader io.Reader
}

// CompareOptions configures a comparison. The zero value keeps events in memory and uses the contract's default
// limits.
type CompareOptions struct {
	Limits     evidence.Limits
	Jobs       int // workers; default: one for each processor
	Compatible int // see Options.Compatible

	// Spill creates storage for events beyond a few megabytes: all of the first input, and those only in the
	// second. nil means memory.
	Spill func() (Spill, error)
}

// Comparison is the result of comparing two inputs by content, the bytes that content hashes cover.
type Comparison struct {
	A, B Side

	Same     int // events of the same content and in the same order
	Moved    int // … and in another order
	Changed  int // events of the same type and subject, of another content
	Removed  int // events of A alone
	Added    int // events of B alone
	Envelope int // of the events of the same content, moved or not: those with another envelope

	// Attributes counts the pairs with equal content by differing attribute.
	Attributes []AttributeCount
}

// AttributeCount is an attribute of the envelope and the number of pairs that differ in it.
type AttributeCount struct {
	Name   string `json:"name"`
	Events int    `json:"events"`
}

// Answered reports whether both inputs were read completely and all events have a content hash. Otherwise
// differences are unknown, and Faults says why.
func (c *Comparison) Answered() bool { return len(c.A.Faults) == 0 && len(c.B.Faults) == 0 }

// Equal reports whether both inputs have the same content in the same order, so the same run root. Envelopes can
// differ.
func (c *Comparison) Equal() bool {
	return c.Answered() && c.Moved+c.Changed+c.Removed+c.Added == 0
}

// Side describes one of the inputs.
type Side struct {
	Input    string
	Kind     Kind
	Events   int64
	RunRoot  string // recomputed
	Run      Run
	Mismatch int               // events that record another hash than that of their content
	Faults   []finding.Finding // why the input cannot be compared, the first of them
}

// MarshalJSON returns an element of "inputs" in a cupel.diff/1 document.
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

// Compare compares the events of two inputs of any kind by content. Events with equal content are paired in order,
// then those with equal type and subject. each receives the differences: removed, added, changed, moved, and equal
// content in another envelope, in order of a (added ones in order of b). Exchanging the inputs reverses the
// differences.
//
// Compare does not check envelopes or manifests; see [Verify]. It reads the inputs one after the other. It takes at
// most 200 bytes of memory per event; texts that are needed again are in the spill. It returns an
// [evidence.ReadError], or an error of ctx, the spill or each.
func Compare(ctx context.Context, a, b Input, opt CompareOptions, each func(*Difference) error) (c *Comparison, err error) {
	m := comparison{opt: opt, digest: digester{key: siphash.NewKey()}, texts: store{make: opt.Spill}}
	defer func() { err = errors.Join(err, m.texts.close()) }()
	if err := m.read(ctx, a, &m.a); err != nil {
		return nil, &SideError{Name: a.Name, Err: err}
	}
	m.content = make(map[evidence.Sum]*record, len(m.a.records))
	for _, r := range m.a.records {
		m.content[r.sum] = r
	}
	if err := m.read(ctx, b, &m.b); err != nil {
		return nil, &SideError{Name: b.Name, Err: err}
	}
	c = &Comparison{A: m.a.side, B: m.b.side}
	if !c.Answered() {
		return c, nil
	}
	m.pair(bySum)
	m.pair(byName)
	m.judge()
	m.count(c)
	return c, m.emit(each)
}

// SideError says which of the two inputs could not be read.
type SideError struct {
	Name string
	Err  error
}

func (e *SideError) Error() string { return e.Name + ": " + e.Err.Error() }

func (e *SideError) Unwrap() error { return e.Err }
