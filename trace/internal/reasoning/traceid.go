package reasoning

import (
	"crypto/sha256"
	"encoding"
	"fmt"
	"hash"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// idPrefix starts a trace id. The SHA-256 of the trace's canonical text follows.
const idPrefix = "trace_v1_"

// traceID recomputes a header's id. The canonical text is an object with canonicalization_version, events and the
// rest in this order, so that events can be hashed as they arrive.
type traceID struct {
	sink   *fault.Sink
	demand bool      // an id that does not fit, or none, is an error
	sum    hash.Hash // nil without an id
	state  *traceIDState

	matches bool // known at the end
}

type traceIDState struct {
	Hash   []byte     `json:"hash,omitempty"` // SHA-256 state; nil without an id
	After  []byte     `json:"after,omitempty"`
	Stated string     `json:"stated,omitempty"`
	At     fault.Spot `json:"at"`
	Events bool       `json:"events,omitempty"` // an event has been written
}

func newTraceID(sink *fault.Sink, demand bool, state *traceIDState) (*traceID, error) {
	p := &traceID{sink: sink, demand: demand, state: state}
	if state.Hash == nil {
		return p, nil
	}
	p.sum = sha256.New()
	if err := p.sum.(encoding.BinaryUnmarshaler).UnmarshalBinary(state.Hash); err != nil {
		return nil, fmt.Errorf("the state of the trace id: %w", err)
	}
	return p, nil
}

// save stores the running hash in the state.
func (p *traceID) save() (err error) {
	if p.sum != nil {
		p.state.Hash, err = p.sum.(encoding.BinaryMarshaler).MarshalBinary()
	}
	return err
}

// header hashes the header's part of the text.
func (p *traceID) header(r *format.Record, h *format.Header) {
	if h.Before == nil {
		return
	}
	p.sum = sha256.New()
	p.sum.Write(h.Before)
	p.state.Stated, p.state.After, p.state.At = h.ID.String(), h.After, p.sink.Spot(r.Line, h.ID.At)
}

var comma = []byte{','}

// Take hashes an event, after a comma unless it is the first.
func (p *traceID) Take(e *format.Event) {
	if p.sum == nil || len(e.Canonical) == 0 {
		return
	}
	if p.state.Events {
		p.sum.Write(comma)
	}
	p.state.Events = true
	p.sum.Write(e.Canonical)
}

// Finish compares the id in the header with the computed one.
func (p *traceID) Finish() error {
	if p.sum == nil {
		if p.demand {
			p.report("the trace states no id that could be checked", func(*finding.Finding) {})
		}
		return nil
	}
	p.sum.Write(p.state.After)
	var sum digest.Sum
	p.sum.Sum(sum[:0])
	want := idPrefix + sum.Hex()
	if p.matches = p.state.Stated == want; p.matches {
		return nil
	}
	p.report("the trace's id is not the fingerprint of its content", func(f *finding.Finding) {
		p.state.At.Mark(f)
		f.Expected, f.Found = want, p.state.Stated
		if len(f.Found) > len(want) {
			f.Found = fault.Preview(p.state.Stated)
		}
	})
	return nil
}

func (p *traceID) report(message string, more func(*finding.Finding)) {
	f := rule.IDTraceMismatch.New(message)
	f.Path = "id"
	more(&f)
	if p.demand {
		f.Severity = finding.Error
	}
	p.sink.Add(f)
}
