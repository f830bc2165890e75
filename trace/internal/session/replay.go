package session

import (
	"bufio"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/trace/internal/stream"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// replay feeds the summary of a range to the parts of a checker.
type replay struct {
	*Checker
	core   coreReader
	column *columnReader
	again  *rereader
	asks   bool      // an event of the range asks for hashes
	rehash *rereader // of events whose hashes are needed and not kept, or nil

	lines  int   // before the range
	offset int64 // of the range
	lead   *int  // unreadable lines before the first record that may still be taken; nil: it was seen
}

// Replay processes the summary of the next range.
func (c *Checker) Replay(s stream.Replay) error {
	if c.column == nil {
		c.column = &columnReader{from: bufio.NewReaderSize(nil, 16<<10), chained: c.env.chained, named: c.env.ids(), keys: c.keys, most: c.limits.LineBytes}
		c.reread = c.newRereader()
		c.eventIDs.seen.expect(int(c.expected.ids))
		c.tools.ids.expect(int(c.expected.calls))
	}
	c.column.from.Reset(s.Column)
	c.reread.recall = s.Recall
	r := &replay{
		Checker: c, core: coreReader{Reader: wire.NewReader(s.Core), most: c.limits.LineBytes}, again: c.reread, column: c.column,
		lines: s.Lines, offset: s.Offset, lead: s.Lead,
	}
	r.begin(readCoreHead(r.core.Reader))
	c.out.broken += int64(r.core.number(1 << 62))
	for range r.core.Count(leastNote) {
		r.note()
	}
	for r.core.More() && c.out.err == nil {
		if err := r.entry(); err != nil {
			return err
		}
	}
	if err := r.core.Err(); err != nil {
		return err
	}
	return c.out.err
}

func (c *Checker) Expect(core []byte) error {
	r := wire.NewReader(core)
	head := readCoreHead(r)
	c.expected.all = true
	if head.asks {
		c.expected.asking++
	}
	most := uint64(c.limits.IDs)
	c.expected.ids = min(c.expected.ids+min(head.ids, most), most)
	c.expected.calls = min(c.expected.calls+min(head.calls, most), most)
	return r.Err()
}

// laterSummaries holds what is known about the ranges after the current one.
type laterSummaries struct {
	all    bool // of all of them
	asking int  // those with an event that asks for hashes

	ids, calls uint64 // of runs, up to the limit of remembered ones
}

func (r *replay) begin(head coreHead) {
	idle := r.expected.all && r.expected.asking == 0
	r.seal.idle, r.merkle.idle = idle, idle
	r.asks, r.column.kept = head.asks, head.kept
	if head.asks {
		r.expected.asking--
	}
	if r.env.chained && !idle && !head.kept {
		r.rehash = newRereader(r.env, r.limits)
		r.rehash.recall = r.again.recall
	}
}

// note processes a note that is the first of its kind in the range.
func (r *replay) note() {
	n := r.core.note()
	if r.core.Err() != nil {
		return
	}
	n.noteSubject.name = n.sum.key(r.keys)
	e := &event{numbered: n.numbered, number: n.number, told: &extraData{}}
	e.line.Number = r.lines + n.line.line
	e.told.read = func(e *event) error { return r.again.noted(e, &n, r.offset) }
	r.out.first(&n.note, e)
}

func (r *replay) entry() error {
	switch entryKind(r.core.number(uint64(entryKinds) - 1)) {
	case aLoss:
		r.lost(r.core.losses())
	case anEvent:
		return r.event()
	case aRun:
		return r.run(r.core.run())
	default:
		r.core.Fail("an entry of an unknown kind")
	}
	return nil
}

// lost processes lines without events. Before the first record, only some are reported.
func (r *replay) lost(l losses) {
	first := r.core.line + l.apart
	r.core.line += int(l.n) * l.apart
	if l.loss == (loss{}) {
		r.core.Fail("lost lines without a reason")
	}
	if r.core.Err() != nil {
		return
	}
	if l.misfit {
		r.lead = nil
	} else if r.lead != nil {
		l.n = min(l.n, int64(*r.lead))
		*r.lead -= int(l.n)
	}
	r.nextLosses(r.lines+first, l)
}

func (r *replay) event() error {
	e, at, whole := r.core.event(r.chain.last.Hash)
	if err := r.core.Err(); err != nil {
		return err
	}
	r.lead = nil
	e.line.Number = r.lines + at.line
	e.id = e.idSum.key(r.keys)
	e.told.read = func(e *event) error { return r.again.line(e, r.offset+at.offset, at.size) }
	if !whole {
		if err := e.fetch(); err != nil {
			return err
		}
	}
	if e.detail == nil && (e.kind == chainSeal || e.kind == sessionEnd) {
		r.core.Fail("a seal or an end that is not described")
		return nil
	}
	if !r.asks && r.env.asks(e) {
		r.core.Fail("an event that asks for hashes, in a range whose needs are not described")
		return nil
	}
	r.next(e)
	return nil
}

// run processes a run, one block at a time.
func (r *replay) run(entry runEntry) error {
	if err := r.core.Err(); err != nil {
		return err
	}
	ends, err := r.column.lastHashes(entry.n)
	if err != nil {
		return err
	}
	before := where{line: r.lines + r.core.line, offset: r.offset + entry.offset}
	for left := entry.n; left > 0; {
		last := r.chain.last
		next := &run{
			first: last.Number + 1, numbered: entry.numbered, line: before.line + 1, prev: last.Hash, runFacts: entry.runFacts,
		}
		size, err := r.column.next(next, left, before)
		at := before.end()
		if err == nil && len(ends) > 0 {
			ends, err = r.hashes(next, left, ends, at, size)
		}
		if err != nil {
			return err
		}
		before = where{line: before.line + next.n, offset: at, size: size}
		next.read = func(i int, e *event) error { return r.again.lineOf(e, i, at, size) }
		if next.apart != nil {
			before = next.apart[next.n-1]
			next.read = func(i int, e *event) error { return r.again.lineOf(e, 0, next.apart[i].offset, next.apart[i].size) }
		}
		r.nextRun(next)
		if r.out.err != nil {
			return r.out.err
		}
		entry.signed = [sigStates - 1]int64{} // counted with the first block
		left -= int64(next.n)
	}
	r.core.line = before.line - r.lines
	return nil
}

// hashes sets the hashes of a block. left is the number of events that remain in the run. ends are the run's last
// hashes, and rest are those for later blocks.
func (r *replay) hashes(next *run, left int64, ends []digest.Sum, offset int64, size int) (rest []digest.Sum, err error) {
	known := max(0, next.n-max(0, int(left)-len(ends)))
	next.hashes, rest = ends[:known], ends[known:]
	if r.rehash == nil {
		return rest, nil
	}
	all, err := r.rehash.hashes(next, offset, size)
	if err == nil && !slices.Equal(all[next.n-known:], next.hashes) {
		err = fmt.Errorf("bytes %d to %d: %w", offset, offset+int64(size), ErrChanged)
	}
	next.hashes = all
	return rest, err
}
