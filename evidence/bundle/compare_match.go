package bundle

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
	"github.com/cupel-dev/cupel/finding"
)

type DifferenceKind string

// The kinds. Except for the last, the content differs.
const (
	Removed       DifferenceKind = "removed"  // only A has the event
	Added         DifferenceKind = "added"    // only in B
	Changed       DifferenceKind = "changed"  // the same type and subject, another content
	Moved         DifferenceKind = "moved"    // the same content, in another order
	OtherEnvelope DifferenceKind = "envelope" // the same content, in another envelope

	nothingDiffers DifferenceKind = ""
)

// Difference is an event or pair of events that differs.
type Difference struct {
	Kind    DifferenceKind `json:"kind"`
	A       *EventPlace    `json:"a"` // nil if only in B
	B       *EventPlace    `json:"b"`
	Type    string         `json:"event_type,omitempty"` // of the event; empty for OtherEnvelope
	Subject *string        `json:"subject,omitempty"`

	Changes []Change `json:"changes,omitempty"`         // of Changed: at most MaxChanges
	Omitted int      `json:"changes_omitted,omitempty"` // more of them

	// Attributes are the differing envelope attributes, except number, id and recorded hash.
	Attributes []string `json:"attributes,omitempty"`
}

type EventPlace struct {
	Line        int     `json:"line"` // that it begins on; of a bundle, in its events
	Seq         *uint64 `json:"seq"`  // sequence number; nil if missing or unreadable
	ContentHash string  `json:"content_hash"`
}

type record struct {
	facts
	sum        evidence.Sum
	at         int64 // of a text with this content, in the store
	line, size int
	index      int32   // index in the events of its side
	moved      bool    // A's: equal content in another order
	pair       *record // the event of the other side that it belongs to
}

type facts struct {
	name      uint64 // hash of type and subject
	envelope  envelopeSums
	seq       uint64
	sequenced bool
}

type comparedInput struct {
	side    Side
	records []*record
}

type comparison struct {
	opt     CompareOptions
	digest  digester
	a, b    comparedInput
	content map[evidence.Sum]*record // an event of A with it
	texts   store
}

// maxFaults limits the reasons given why an input cannot be compared.
const maxFaults = 10

func (m *comparison) read(ctx context.Context, from Input, to *comparedInput) error {
	to.side.Input = from.Name
	hash := evidence.Options{Limits: m.opt.Limits.WithDefaults(), Jobs: m.opt.Jobs, MaxFindings: maxFaults}
	var of run
	total, err := CheckEvents(ctx, from.Reader, from.Size, from.Name, m.opt.Compatible, hash, m.check, func(r *evidence.Result, f *readEvent) error {
		to.side.Events++
		of.take(&f.view)
		if r.Match == evidence.Different {
			to.side.Mismatch++
		}
		if !r.Hashed {
			to.side.fail(r.Findings)
			return nil
		}
		return m.keep(to, r, f)
	})
	if err != nil {
		return err
	}
	to.side.end(total, &of)
	return nil
}

type readEvent struct {
	facts
	view envelope.View
}

func (m *comparison) check() func(*evidence.Result, *readEvent) {
	checker := envelope.NewChecker(envelope.Options{})
	digest := m.digest
	return func(r *evidence.Result, f *readEvent) {
		f.view, _ = checker.Check(r)
		if r.Event != nil {
			f.facts = facts{digest.name(&f.view), digest.envelope(r, &f.view), f.view.Sequence, f.view.Sequenced}
		}
	}
}

// fail records why the input cannot be compared.
func (s *Side) fail(list []finding.Finding) {
	for _, f := range list {
		if f.Severity == finding.Error && len(s.Faults) < maxFaults {
			f.File = s.Input
			s.Faults = append(s.Faults, f)
		}
	}
}

func (s *Side) end(total Total, of *run) {
	s.Kind = total.Kind
	s.fail(total.Faults)
	s.fail(total.Findings)
	if s.Events == 0 {
		s.fail([]finding.Finding{{Rule: contractInvalidEvent, Severity: finding.Error, Message: noEvent}})
	}
	if total.Rooted {
		s.RunRoot = total.RunRoot.String()
	}
	var described Report
	of.describe(&described)
	s.Run = described.Run
}

// keep stores an event. Its text is stored once if an event of A has the same content.
func (m *comparison) keep(to *comparedInput, r *evidence.Result, f *readEvent) (err error) {
	e := &record{facts: f.facts, sum: r.Sum, line: r.Line, size: len(r.Text()), index: int32(len(to.records))}
	if like := m.content[r.Sum]; like != nil {
		e.at, e.size = like.at, like.size
	} else if e.at, err = m.texts.add(r.Text()); err != nil {
		return err
	}
	to.records = append(to.records, e)
	return nil
}

func bySum(a, b *record) int { return bytes.Compare(a.sum[:], b.sum[:]) }

func byName(a, b *record) int { return cmp.Compare(a.name, b.name) }

// unpaired returns the unpaired events, sorted. Equal ones keep their order.
func unpaired(list []*record, order func(a, b *record) int) (rest []*record) {
	for _, r := range list {
		if r.pair == nil {
			rest = append(rest, r)
		}
	}
	slices.SortFunc(rest, func(a, b *record) int { return cmp.Or(order(a, b), cmp.Compare(a.index, b.index)) })
	return rest
}

// pair pairs events that compare equal.
func (m *comparison) pair(order func(a, b *record) int) {
	left, right := unpaired(m.a.records, order), unpaired(m.b.records, order)
	for len(left) > 0 && len(right) > 0 {
		a, b := left[0], right[0]
		which := order(a, b)
		if which == 0 {
			a.pair, b.pair = b, a
		}
		if which <= 0 {
			left = left[1:]
		}
		if which >= 0 {
			right = right[1:]
		}
	}
}

// pairs returns the events of A with their partners in B, then the other events of B. One of the two can be nil.
func (m *comparison) pairs() iter.Seq2[*record, *record] {
	return func(yield func(a, b *record) bool) {
		for _, a := range m.a.records {
			if !yield(a, a.pair) {
				return
			}
		}
		for _, b := range m.b.records {
			if b.pair == nil && !yield(nil, b) {
				return
			}
		}
	}
}

// judge finds the events of A that B has in another order.
func (m *comparison) judge() {
	var events []*record // of A whose content B has
	var places []int32   // in B
	for a, b := range m.pairs() {
		if a != nil && b != nil && a.sum == b.sum {
			events, places = append(events, a), append(places, b.index)
		}
	}
	for i, stays := range inEveryOrder(places) {
		events[i].moved = !stays
	}
}

// inEveryOrder reports for each element of a list of distinct numbers whether all longest ascending subsequences
// contain it: such an element was certainly not moved. It takes O(n log n).
func inEveryOrder(list []int32) []bool {
	upTo := longestEnding(list)
	backwards := slices.Clone(list)
	slices.Reverse(backwards)
	for i := range backwards {
		backwards[i] = -backwards[i]
	}
	from := longestEnding(backwards)
	slices.Reverse(from)
	longest := slices.Max(append(slices.Clone(upTo), 0))
	rivals := make([]int, longest+1) // elements that can be in that place of a longest part
	for i := range list {
		if upTo[i]+from[i]-1 == longest {
			rivals[upTo[i]]++
		}
	}
	stays := make([]bool, len(list))
	for i := range list {
		stays[i] = upTo[i]+from[i]-1 == longest && rivals[upTo[i]] == 1
	}
	return stays
}

// longestEnding returns the length of the longest ascending subsequence that ends with each element.
func longestEnding(list []int32) []int {
	lengths := make([]int, len(list))
	var ends []int32 // the smallest element that a part of each length can end with
	for i, x := range list {
		at, _ := slices.BinarySearch(ends, x)
		if at == len(ends) {
			ends = append(ends, x)
		}
		ends[at] = x
		lengths[i] = at + 1
	}
	return lengths
}

func kindOf(a, b *record) DifferenceKind {
	switch {
	case b == nil:
		return Removed
	case a == nil:
		return Added
	case a.sum != b.sum:
		return Changed
	case a.moved:
		return Moved
	case a.envelope != b.envelope:
		return OtherEnvelope
	}
	return nothingDiffers
}

func (m *comparison) count(c *Comparison) {
	var differing [len(compareAttributes)]int
	numbers := map[DifferenceKind]int{}
	for a, b := range m.pairs() {
		numbers[kindOf(a, b)]++
		if a == nil || b == nil || a.sum != b.sum || a.envelope == b.envelope {
			continue
		}
		c.Envelope++
		for i := range differing {
			if a.envelope[i] != b.envelope[i] {
				differing[i]++
			}
		}
	}
	c.Same, c.Moved, c.Changed = numbers[nothingDiffers]+numbers[OtherEnvelope], numbers[Moved], numbers[Changed]
	c.Removed, c.Added = numbers[Removed], numbers[Added]
	for i, n := range differing {
		if n > 0 {
			c.Attributes = append(c.Attributes, AttributeCount{compareAttributes[i].String(), n})
		}
	}
}

// emit passes the differences to each, by kind.
func (m *comparison) emit(each func(*Difference) error) error {
	limits := evidence.Options{Limits: m.opt.Limits}
	hashers := [...]*evidence.Hasher{evidence.NewHasher(limits), evidence.NewHasher(limits)}
	for _, kind := range []DifferenceKind{Removed, Added, Changed, Moved, OtherEnvelope} {
		for a, b := range m.pairs() {
			if kindOf(a, b) != kind {
				continue
			}
			d := Difference{Kind: kind, A: a.place(), B: b.place(), Attributes: differing(a, b)}
			if err := m.describe(&d, a, b, hashers); err != nil {
				return err
			}
			if err := each(&d); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *record) place() *EventPlace {
	if r == nil {
		return nil
	}
	p := &EventPlace{Line: r.line, ContentHash: r.sum.String()}
	if r.sequenced {
		p.Seq = &r.seq
	}
	return p
}

// describe rereads the events of a difference to get their type, subject and changed paths.
func (m *comparison) describe(d *Difference, a, b *record, hashers [2]*evidence.Hasher) error {
	if d.Kind == OtherEnvelope {
		return nil
	}
	if a == nil {
		a = b
	}
	event, err := m.again(a, hashers[0])
	if err != nil {
		return err
	}
	d.Type, _ = event.Get(evidence.AttrType).Text()
	if subject, ok := event.Get(evidence.AttrSubject).Text(); ok {
		d.Subject = &subject
	}
	if d.Kind != Changed {
		return nil
	}
	other, err := m.again(b, hashers[1])
	if err == nil {
		d.compare(event, other)
	}
	return err
}

func (m *comparison) again(r *record, hasher *evidence.Hasher) (*evidence.Event, error) {
	text, err := m.texts.get(r.at, r.size)
	if err != nil {
		return nil, err
	}
	result, err := hasher.Hash(text)
	if err != nil {
		return nil, err
	}
	if !result.Hashed || result.Sum != r.sum {
		return nil, fmt.Errorf("the event on line %d changed while the input was read", r.line)
	}
	return result.Event, nil
}
