package session

import (
	"sync"

	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// batch holds the events and findings of one block until they are processed in file order.
type batch struct {
	events []event // but for those of runs
	batchFindings
	runs batchRuns

	settled      int // events that are settled
	settledNotes int // notes on those
}

// batches is a pool of empty batches, shared by all checkers.
var batches sync.Pool

// newBatch returns an empty batch with a limit on findings.
func newBatch(findings int) *batch {
	b := anyBatch()
	if b.findings == nil || b.findings.Most() != findings || b.findings.Lasting() {
		b.findings = stream.NewFindings(findings)
	}
	return b
}

func anyBatch() *batch {
	if b, ok := batches.Get().(*batch); ok {
		return b
	}
	return &batch{}
}

func (b *batch) next() *event {
	if len(b.events) == cap(b.events) {
		b.events = append(b.events, event{})
	} else {
		b.events = b.events[:len(b.events)+1]
		b.events[len(b.events)-1] = event{}
	}
	return &b.events[len(b.events)-1]
}

// unsettled returns the number of events whose hashes are not checked yet.
func (b *batch) unsettled() int { return len(b.events) - b.settled }

// settle groups regular events without notes into runs. It does nothing without a follower.
func (b *batch) settle(f *follower) {
	if f != nil {
		b.follow(f)
	}
	b.settled, b.settledNotes = len(b.events), len(b.notes)
}

func (b *batch) follow(f *follower) {
	kept, notes := b.settled, b.notes[b.settledNotes:]
	for i := kept; i < len(b.events); i++ {
		e, noted := &b.events[i], false
		for len(notes) > 0 && notes[0].event == i {
			notes[0].event, notes, noted = kept, notes[1:], true
		}
		if e.lost != (loss{}) {
			f.lose()
		} else {
			straight := f.straight(e)
			if f.pass(e, straight); straight && !noted {
				b.runs.add(e, kept)
				continue
			}
		}
		if kept < i {
			b.events[kept] = *e
		}
		kept++
	}
	b.events = b.events[:kept]
}

func (b *batch) report(to *reporter) {
	to.findings.Merge(b.findings)
	for i := range b.notes {
		to.first(&b.notes[i], &b.events[b.notes[i].event])
	}
	to.broken += b.broken
}

func (b *batch) release() {
	b.events, b.notes, b.broken = b.events[:0], b.notes[:0], 0
	b.settled, b.settledNotes = 0, 0
	b.runs.empty()
	batches.Put(b)
}

// noteMemory remembers the notes of one worker, to avoid most repetitions. Whether a note is new is decided later,
// in file order.
type noteMemory struct {
	keys siphash.Key          // of names
	made map[noteSubject]bool // nil: nothing is remembered, the lines are of many logs
}

func newNoteMemory(keys siphash.Key) noteMemory { return noteMemory{keys, map[noteSubject]bool{}} }

// once reports whether to make a note. It always returns true for the first of a kind, and false for later ones
// while the list is small.
func (m *noteMemory) once(r rule, t *table, name []byte) (noteSubject, bool) {
	const most = 1000
	about := noteSubject{r, t, m.keys.Sum64(name)}
	if m.made[about] {
		return about, false
	}
	if m.made != nil && len(m.made) < most {
		m.made[about] = true
	}
	return about, true
}
