package bundle

import (
	"fmt"
	"math/bits"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
)

// DifferenceKind is how events of two inputs differ.
type DifferenceKind string

// The kinds. Only the last leaves the content as it is.
const (
	Removed       DifferenceKind = "removed"  // only A has the event
	Added         DifferenceKind = "added"    // only in B
	Changed       DifferenceKind = "changed"  // the same type and subject, another content
	Moved         DifferenceKind = "moved"    // the same content, in another order
	OtherEnvelope DifferenceKind = "envelope" // the same content, in another envelope
)

// Difference is a difference between two inputs: an event, or a pair of them.
type Difference struct {
	Kind    DifferenceKind `json:"kind"`
	A       *EventPlace    `json:"a"` // nil if only in B
	B       *EventPlace    `json:"b"`
	Type    string         `json:"event_type,omitempty"` // of the event; empty for OtherEnvelope
	Subject *string        `json:"subject,omitempty"`

	Changes []Change `json:"changes,omitempty"`         // of Changed: at most MaxChanges
	Omitted int      `json:"changes_omitted,omitempty"` // more of them

	// Attributes lists the differing envelope attributes, except number, id and recorded hash.
	Attributes []string `json:"attributes,omitempty"`
}

// EventPlace is the position of an event.
type EventPlace struct {
	Line        int     `json:"line"` // that it begins on; of a bundle, in its events
	Seq         *uint64 `json:"seq"`  // sequence number; nil if missing or unreadable
	ContentHash string  `json:"content_hash"`
}

func (m *matching) count(c *Comparison) {
	m.shifted = m.outOfOrder()
	var differing [len(compareAttributes)]int
	for i := range m.a.records {
		r := &m.a.records[i]
		switch {
		case r.pair < 0:
			c.Removed++
			continue
		case m.b.records[r.pair].sum != r.sum:
			c.Changed++
			continue
		case m.shifted[i]:
			c.Moved++
		default:
			c.Same++
		}
		if r.differs != 0 {
			c.Envelope++
		}
		for set := r.differs; set != 0; set &= set - 1 {
			differing[bits.TrailingZeros16(uint16(set))]++
		}
	}
	c.Added = len(m.b.records) - (len(m.a.records) - c.Removed)
	for i, n := range differing {
		if n > 0 {
			c.Attributes = append(c.Attributes, AttributeCount{compareAttributes[i].String(), n})
		}
	}
}

// outOfOrder reports which events of A are in another order in B.
func (m *matching) outOfOrder() []bool {
	var events, places []int32 // those of A whose content B has, and their places in B
	for i := range m.a.records {
		if p := m.a.records[i].pair; p >= 0 && m.b.records[p].sum == m.a.records[i].sum {
			events, places = append(events, int32(i)), append(places, p)
		}
	}
	list := make([]bool, len(m.a.records))
	for i, stays := range inEveryOrder(places) {
		list[events[i]] = !stays
	}
	return list
}

func (m *matching) tell(c *Comparison, each func(*Difference) error) error {
	t := teller{matching: m, each: each, digest: digester{key: m.key}}
	for i := range t.hashers {
		t.hashers[i] = evidence.NewHasher(evidence.Options{Limits: m.opt.Limits})
	}
	for _, part := range []struct {
		number int
		tell   func() error
	}{
		{c.Removed, t.removed}, {c.Added, t.added}, {c.Changed, t.changed}, {c.Moved, t.moved}, {c.Envelope, t.envelopes},
	} {
		if part.number == 0 {
			continue
		}
		if err := part.tell(); err != nil {
			return err
		}
	}
	return nil
}

// teller emits the differences of a comparison.
type teller struct {
	*matching
	each    func(*Difference) error
	hashers [2]*evidence.Hasher // read the events again
	digest  digester
}

func (t *teller) removed() error {
	return t.alone(&t.a, Removed, func(d *Difference, p *EventPlace) { d.A = p })
}

func (t *teller) added() error {
	return t.alone(&t.b, Added, func(d *Difference, p *EventPlace) { d.B = p })
}

// alone emits a side's unpaired events.
func (t *teller) alone(of *compared, kind DifferenceKind, put func(*Difference, *EventPlace)) error {
	for i := range of.records {
		r := &of.records[i]
		if r.pair >= 0 {
			continue
		}
		d := Difference{Kind: kind}
		put(&d, r.place())
		if _, err := t.describe(&d, of, r, 0); err != nil {
			return err
		}
		if err := t.each(&d); err != nil {
			return err
		}
	}
	return nil
}

func (t *teller) changed() error {
	return t.pairs(func(_ int, r, to *record) error {
		if to.sum == r.sum {
			return nil
		}
		d := Difference{Kind: Changed, A: r.place(), B: to.place()}
		a, err := t.describe(&d, &t.a, r, 0)
		if err != nil {
			return err
		}
		b, err := t.describe(&d, &t.b, to, 1)
		if err != nil {
			return err
		}
		found := changes{}
		found.events(a.Event, b.Event)
		d.Changes, d.Omitted = found.list, found.omitted
		left, right := t.envelopeOf(a), t.envelopeOf(b)
		d.Attributes = left.differing(&right).names()
		return t.each(&d)
	})
}

func (t *teller) moved() error {
	return t.pairs(func(i int, r, to *record) error {
		if !t.shifted[i] {
			return nil
		}
		d := Difference{Kind: Moved, A: r.place(), B: to.place(), Attributes: r.differs.names()}
		if _, err := t.describe(&d, &t.a, r, 0); err != nil {
			return err
		}
		return t.each(&d)
	})
}

func (t *teller) envelopes() error {
	return t.pairs(func(i int, r, to *record) error {
		if t.shifted[i] || r.differs == 0 || to.sum != r.sum {
			return nil
		}
		return t.each(&Difference{Kind: OtherEnvelope, A: r.place(), B: to.place(), Attributes: r.differs.names()})
	})
}

// pairs goes over the events of A that belong to one of B.
func (t *teller) pairs(do func(i int, r, to *record) error) error {
	for i := range t.a.records {
		r := &t.a.records[i]
		if r.pair < 0 {
			continue
		}
		if err := do(i, r, &t.b.records[r.pair]); err != nil {
			return err
		}
	}
	return nil
}

func (r *record) place() *EventPlace {
	p := &EventPlace{Line: r.line, ContentHash: r.sum.String()}
	if r.sequenced {
		seq := r.seq
		p.Seq = &seq
	}
	return p
}

// describe rereads an event with one of the two hashers and describes it.
func (t *teller) describe(d *Difference, of *compared, r *record, hasher int) (*evidence.Result, error) {
	text, err := of.texts.get(r.at, r.size)
	if err != nil {
		return nil, err
	}
	result, err := t.hashers[hasher].Hash(text)
	if err != nil {
		return nil, err
	}
	if !result.Hashed || result.Sum != r.sum {
		return nil, fmt.Errorf("the event of line %d, which was put aside, has another content when it is read again", r.line)
	}
	d.Type, _ = result.Event.Get(evidence.AttrType).Text()
	if subject, ok := result.Event.Get(evidence.AttrSubject).Text(); ok {
		d.Subject = &subject
	}
	return &result, nil
}

// envelopeOf are the hashes of an event that was read again.
func (t *teller) envelopeOf(r *evidence.Result) envelopeSums {
	view, _ := envelope.NewChecker(envelope.Options{}).Check(r)
	return t.digest.envelope(r, &view)
}
