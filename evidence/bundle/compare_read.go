package bundle

import (
	"context"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
	"github.com/cupel-dev/cupel/finding"
)

// record is the stored data of an event.
type record struct {
	sum       evidence.Sum
	name      uint64 // hash of type and subject
	seq       uint64
	at        int64 // its text in the store; -1: not kept
	line      int
	size      int
	pair      int32 // the event of the other side that it belongs to; -1: none
	sequenced bool
	differs   attributes // from the envelope of its pair
}

// compared is one input of a comparison.
type compared struct {
	side    Side
	records []record
	sums    []envelopeSums // of the first input alone
	texts   store
}

// matching is a comparison at work.
type matching struct {
	opt  CompareOptions
	key  hashKey
	a, b compared

	first map[evidence.Sum]int32 // the first event of A with this content that has no pair
	next  []int32                // event of A with equal content, or -1

	shifted []bool // events of A in another order in B
}

// facts is a worker's output for an event.
type facts struct {
	view envelope.View
	name uint64
	sums envelopeSums
}

// maxFaults is how many reasons are given why an input cannot be compared.
const maxFaults = 10

// read reads one input; take is handed its events.
func (m *matching) read(ctx context.Context, from Input, to *compared, take func(*evidence.Result, *facts) error) error {
	to.texts.make = m.opt.Spill
	to.side.Input = from.Name
	s := sideReader{to: to, take: take}
	hash := evidence.Options{Limits: m.opt.Limits.WithDefaults(), Jobs: m.opt.Jobs, MaxFindings: maxFaults}
	total, err := CheckEvents(ctx, from.Reader, from.Size, from.Name, m.opt.Compatible, hash, m.check, s.event)
	if err != nil {
		return err
	}
	s.close(total)
	return nil
}

// check makes one worker's look at events.
func (m *matching) check() func(*evidence.Result, *facts) {
	checker := envelope.NewChecker(envelope.Options{})
	digest := digester{key: m.key}
	return func(r *evidence.Result, f *facts) {
		f.view, _ = checker.Check(r)
		if r.Event != nil {
			f.name, f.sums = digest.name(&f.view), digest.envelope(r, &f.view)
		}
	}
}

// sideReader takes the events of one input.
type sideReader struct {
	to   *compared
	run  run
	take func(*evidence.Result, *facts) error
}

func (s *sideReader) event(r *evidence.Result, f *facts) error {
	side := &s.to.side
	side.Events++
	s.run.take(&f.view)
	if r.Match == evidence.Different {
		side.Mismatch++
	}
	if !r.Hashed {
		s.fail(r.Findings)
		return nil
	}
	return s.take(r, f)
}

// fail notes why the input cannot be compared.
func (s *sideReader) fail(list []finding.Finding) {
	for _, f := range list {
		if f.Severity == finding.Error && len(s.to.side.Faults) < maxFaults {
			f.File = s.to.side.Input
			s.to.side.Faults = append(s.to.side.Faults, f)
		}
	}
}

// close completes the input's data.
func (s *sideReader) close(total Total) {
	side := &s.to.side
	side.Kind = total.Kind
	s.fail(total.Faults)
	s.fail(total.Findings)
	if side.Events == 0 {
		s.fail([]finding.Finding{{Rule: contractInvalidEvent, Severity: finding.Error, Message: "there is no event"}})
	}
	if total.Rooted {
		side.RunRoot = total.RunRoot.String()
	}
	var described Report
	s.run.describe(&described)
	side.Run = described.Run
}

// keep takes an event of A.
func (m *matching) keep(r *evidence.Result, f *facts) error {
	m.a.sums = append(m.a.sums, f.sums)
	return m.a.add(r, f, true)
}

// match takes an event of B: its text is kept only when no event of A has its content.
func (m *matching) match(r *evidence.Result, f *facts) error {
	i, found := m.first[r.Sum]
	if err := m.b.add(r, f, !found); err != nil || !found {
		return err
	}
	if m.next[i] < 0 {
		delete(m.first, r.Sum)
	} else {
		m.first[r.Sum] = m.next[i]
	}
	m.join(i, int32(len(m.b.records)-1), m.a.sums[i].differing(&f.sums))
	return nil
}

// join makes a pair of an event of A and one of B.
func (m *matching) join(a, b int32, differs attributes) {
	m.a.records[a].pair, m.b.records[b].pair = b, a
	m.a.records[a].differs = differs
}

func (c *compared) add(r *evidence.Result, f *facts, text bool) (err error) {
	at := int64(-1)
	if text {
		if at, err = c.texts.add(r.Text()); err != nil {
			return err
		}
	}
	c.records = append(c.records, record{
		sum: r.Sum, name: f.name, seq: f.view.Sequence, sequenced: f.view.Sequenced,
		line: r.Line, at: at, size: len(r.Text()), pair: -1,
	})
	return nil
}

// index finds the events of A by their content.
func (m *matching) index() {
	m.first = make(map[evidence.Sum]int32, len(m.a.records))
	m.next = make([]int32, len(m.a.records))
	for i := len(m.a.records) - 1; i >= 0; i-- {
		sum := m.a.records[i].sum
		m.next[i] = -1
		if later, ok := m.first[sum]; ok {
			m.next[i] = later
		}
		m.first[sum] = int32(i)
	}
}

// byName pairs the remaining events by type and subject.
func (m *matching) byName() {
	waiting := map[uint64][]int32{}
	for i := range m.a.records {
		if r := &m.a.records[i]; r.pair < 0 {
			waiting[r.name] = append(waiting[r.name], int32(i))
		}
	}
	for i := range m.b.records {
		r := &m.b.records[i]
		if list := waiting[r.name]; r.pair < 0 && len(list) > 0 {
			m.join(list[0], int32(i), 0)
			waiting[r.name] = list[1:]
		}
	}
}
