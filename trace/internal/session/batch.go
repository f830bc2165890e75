package session

import (
	"sync"

	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// batch is one block's events and findings on their way to be put in order.
type batch struct {
	events []event // but for those of runs
	batchFindings
	runs batchRuns

	settled      int // events that are settled
	settledNotes int // notes on those
}

// batches are empty ones, of all checkers: short logs need one each.
var batches sync.Pool

// newBatch returns an empty batch that keeps as many findings.
func newBatch(findings int) *batch {
	b := anyBatch()
	if b.findings == nil || b.findings.Most() != findings || b.findings.Lasting() {
		b.findings = stream.NewFindings(findings)
	}
	return b
}

// anyBatch returns an empty batch; its findings can be nil.
func anyBatch() *batch {
	if b, ok := batches.Get().(*batch); ok {
		return b
	}
	return &batch{}
}

// next makes room for an event.
func (b *batch) next() *event {
	if len(b.events) == cap(b.events) {
		b.events = append(b.events, event{})
	} else {
		b.events = b.events[:len(b.events)+1]
		b.events[len(b.events)-1] = event{}
	}
	return &b.events[len(b.events)-1]
}

// unsettled returns how many events were added since the last were settled.
func (b *batch) unsettled() int { return len(b.events) - b.settled }

// settle makes runs of events that a follower finds regular and that have no notes. Without a
// follower nothing changes.
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

// report passes the readers' findings on.
func (b *batch) report(to *reporter) {
	to.findings.Merge(b.findings)
	for i := range b.notes {
		to.first(&b.notes[i], &b.events[b.notes[i].event])
	}
	to.broken += b.broken
}

// release gives up a batch whose findings have been taken.
func (b *batch) release() {
	b.events, b.notes, b.broken = b.events[:0], b.notes[:0], 0
	b.settled, b.settledNotes = 0, 0
	b.runs.empty()
	batches.Put(b)
}

// noteMemory remembers a worker's notes, to avoid most repetitions; file order decides which are new.
type noteMemory struct {
	keys siphash.Key          // of names
	made map[noteSubject]bool // nil: nothing is remembered, the lines are of many logs
}

func newNoteMemory(keys siphash.Key) noteMemory { return noteMemory{keys, map[noteSubject]bool{}} }

// once reports whether to make a note: always the first of its kind, never again while the list is small.
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
