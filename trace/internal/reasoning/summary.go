package reasoning

import (
	"crypto/sha256"
	"hash"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/stream"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// Summarizer summarizes a range of a trace. The core counts lines; the column has a row per header and event with
// the data that a Checker's parts need. Companion files are read when summaries are combined. After a structural
// fault, only the version is kept. Memory is the column, about as large as the range, and a key per unknown member
// up to the id limit.
type Summarizer struct {
	opt      Options
	limits   stream.Limits
	findings *stream.Findings
	shape    format.Shape
	keys     siphash.Key
	blocks   *format.Blocks

	core    core
	begun   bool                // a possible first record was seen
	members map[uint64]struct{} // additive ones, by key
	text    hash.Hash           // of the canonical forms
	rows    format.Encoder      // of all headers and events, as long as the range has no structural fault
	brief   format.Encoder      // of those that a rejected trace is read for
}

// core is a range's summary without its rows.
type core struct {
	counts   counts
	scope    scopeState
	unread   bool       // the range's first possible record is neither header nor event
	rejected bool       // the range has a structural fault: its rows are brief
	text     digest.Sum // of the events' canonical forms; zero if not needed or rejected
}

// NewSummarizer returns a summarizer for a range. It adds structural faults to findings.
func NewSummarizer(opt Options, limits stream.Limits, findings *stream.Findings, shape format.Shape) *Summarizer {
	return &Summarizer{
		opt: opt, limits: limits, findings: findings, shape: shape, keys: siphash.NewKey(), blocks: format.NewBlocks(limits.Findings),
		text: sha256.New(), members: map[uint64]struct{}{}, brief: format.Encoder{Brief: true},
	}
}

func (s *Summarizer) Worker() stream.Worker {
	return newWorker(&s.opt, s.limits, s.shape, s.keys, s.blocks, func(b *format.Block) func() error {
		return func() error { return s.apply(b) }
	})
}

func (s *Summarizer) apply(b *format.Block) error {
	defer s.blocks.Put(b)
	s.findings.Merge(b.Faults)
	s.core.counts.take(b)
	s.core.scope.take(b)
	rest := s.fresh(b.Additive)
	for i := range b.Records {
		notes := rest
		for len(rest) > 0 && rest[0].Of(i) {
			rest = rest[1:]
		}
		s.take(b, &b.Records[i], notes[:len(notes)-len(rest)])
	}
	if s.findings.Rejected() {
		s.rows.Reset()
	}
	return nil
}

func (s *Summarizer) take(b *format.Block, r *format.Record, notes []format.Additive) {
	first := !s.begun
	s.begun = true
	switch {
	case r.Role == format.IsBroken, r.Role == format.IsMisfit:
		s.core.unread = s.core.unread || first
		return
	case r.Role == format.IsHeader, first, len(notes) > 0, b.Event(r).Version != 0:
		s.brief.Add(b, r, notes)
	}
	if s.findings.Rejected() {
		return
	}
	s.rows.Add(b, r, notes)
	if r.Role == format.IsEvent {
		s.text.Write(b.Event(r).Canonical)
	}
}

// fresh returns the unknown members that no earlier block has, up to the id limit.
func (s *Summarizer) fresh(list []format.Additive) []format.Additive {
	kept := list[:0]
	for i := range list {
		if _, seen := s.members[list[i].Key]; !seen && len(s.members) < s.limits.IDs {
			s.members[list[i].Key] = struct{}{}
			kept = append(kept, list[i])
		}
	}
	return kept
}

func (s *Summarizer) Summary() (text, column []byte, err error) {
	s.core.rejected = s.findings.Rejected()
	if s.core.rejected {
		return s.core.encode(), s.brief.Rows(), nil
	}
	if s.shape.HasID {
		s.text.Sum(s.core.text[:0])
	}
	return s.core.encode(), s.rows.Rows(), nil
}

func (c *core) encode() []byte {
	var w wire.Writer
	for _, n := range []int64{c.counts.Events, c.counts.Headers, c.counts.Misfits} {
		w.Uint(uint64(n))
	}
	for _, b := range []bool{c.scope.Spec, c.scope.Evidence, c.scope.Named, c.unread, c.rejected} {
		w.Bool(b)
	}
	w.Sum(c.text)
	return w.Bytes
}

func decodeCore(text []byte) (c core, err error) {
	r := wire.NewReader(text)
	for _, n := range []*int64{&c.counts.Events, &c.counts.Headers, &c.counts.Misfits} {
		*n = int64(r.Uint())
		if *n < 0 {
			r.Fail("a negative count")
		}
	}
	for _, b := range []*bool{&c.scope.Spec, &c.scope.Evidence, &c.scope.Named, &c.unread, &c.rejected} {
		*b = r.Bool()
	}
	c.text = r.Sum()
	return c, r.Done()
}
