package session

import (
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/source"
)

// batchRuns stores the runs of a batch compactly, at a tenth of an event's size, to reduce traffic between
// processor cores.
type batchRuns struct {
	list   []batchRun
	lines  []source.Line // of the events of all runs, one after the other
	hashes []digest.Sum  // of the events of all runs; empty in a log without hashes
	digits []byte        // of the hashes
	ids    []uint64      // of the events of all runs; empty in events without ids
	calls  []runCall     // of all runs
}

type batchRun struct {
	run
	from  int // events of the batch before it that are in no run
	calls int // how many there are
}

// add appends an event to the last run if it directly follows that run, otherwise to a new one. Events before index
// from are not part of any run.
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

// end sets the slices of each run.
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
