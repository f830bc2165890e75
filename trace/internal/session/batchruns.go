package session

import (
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/source"
)

// batchRuns are the runs of a batch. What is remembered of their events is a tenth of what an
// event is, and stands side by side: so much less goes from one processor to another.
type batchRuns struct {
	list   []batchRun
	lines  []source.Line // of the events of all runs, one after the other
	hashes []digest.Sum  // likewise; none in a log without hashes
	digits []byte        // of the hashes
	ids    []uint64      // likewise; none where events have no ids
	calls  []runCall     // of all runs
}

// batchRun is a run of a batch.
type batchRun struct {
	run
	from  int // events of the batch before it that are in no run
	calls int // how many there are
}

// add adds an event, which from others that are in no run stand before: to the last run, where
// that ends before the event, or to a new one.
func (b *batchRuns) add(e *event, from int) {
	if n := len(b.list); n == 0 || b.list[n-1].from < from {
		b.list = append(b.list, batchRun{from: from, run: run{numbered: e.numbered}})
	}
	r := &b.list[len(b.list)-1]
	b.lines = append(b.lines, e.line)
	if e.hash.proper {
		b.hashes, b.digits = append(b.hashes, e.hash.Sum), e.appendHash(b.digits)
	}
	if e.marks.has(hasID) {
		b.ids = append(b.ids, e.id)
	}
	if e.tool != (call{}) {
		b.calls = append(b.calls, runCall{event: r.n, result: e.kind == toolResult, id: e.tool.id})
		r.calls++
	}
	r.runFacts.add(e)
	r.n++
}

// end gives each run what is remembered of its events, now that no more will come.
func (b *batchRuns) end() {
	events, calls := 0, 0 // of the runs before
	for i := range b.list {
		r := &b.list[i]
		to := events + r.n
		r.lines = b.lines[events:to]
		if len(b.hashes) > 0 {
			r.hashes, r.digits = b.hashes[events:to], b.digits[events*hashDigits:to*hashDigits]
		}
		if len(b.ids) > 0 {
			r.ids = b.ids[events:to]
		}
		r.run.calls = b.calls[calls : calls+r.calls]
		events, calls = to, calls+r.calls
	}
}

func (b *batchRuns) empty() {
	*b = batchRuns{b.list[:0], b.lines[:0], b.hashes[:0], b.digits[:0], b.ids[:0], b.calls[:0]}
}
