package session

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// The column of a summary stores data of events in runs that cannot be derived. If not all hashes are kept, each
// run starts with the hashes of its last events: at most maxRecent, 32 bytes each. Events are grouped into blocks,
// to bound memory:
//
//	events  number of events, at most blockEvents
//	apart   whether lines are not adjacent (if hashes are kept)
//	places  if apart, for each line: lines and bytes since the previous line, and its size
//	bytes   otherwise, the total size of the lines
//	hashes  32 bytes each, if kept
//	ids     16 bytes each, if present
//	calls   number of calls; for each the event's index in the block, and 16 bytes, of which
//	        the top bit of the 13th marks a result
//
// A block does not span runs.

// blockEvents limits the events of a block. blockBytes limits its lines, which are reread for findings.
const (
	blockEvents = 64
	blockBytes  = 64 << 10
)

type block struct {
	events int
	bytes  int64
	last   where // the line before the next event, with its end
	apart  bool
	places wire.Writer
	hashes []byte
	ids    []byte
	calls  []byte
	called int
}

// begin starts a run at the given event. line is its line number.
func (b *block) begin(e *event, line int) { b.last = where{line: line, offset: e.line.Offset} }

func (b *block) add(e *event, size int, kept bool) {
	if kept {
		b.place(where{e.line.Number, e.line.Offset, size})
		if e.hash.proper {
			b.hashes = append(b.hashes, e.hash.Sum[:]...)
		}
	}
	if e.marks.has(hasID) {
		b.ids = append(b.ids, e.idSum[:]...)
	}
	if e.tool != (call{}) {
		id := e.tool.id
		if e.kind == toolResult {
			id[12] |= answerBit
		}
		b.calls = append(append(b.calls, byte(b.events)), id[:]...)
		b.called++
	}
	b.events++
	b.bytes += int64(size)
}

func (b *block) place(at where) {
	b.apart = b.apart || at.line != b.last.line+1
	b.places.Uint(uint64(at.line - b.last.line))
	b.places.Uint(uint64(at.offset - b.last.end()))
	b.places.Uint(uint64(at.size))
	b.last = at
}

// answerBit marks the id of a tool result. Ids do not use this bit.
const answerBit = 0x80

func (b *block) size() int {
	return len(b.places.Bytes) + len(b.hashes) + len(b.ids) + len(b.calls)
}

func (b *block) full() bool { return b.events == blockEvents || b.bytes >= blockBytes }

func (b *block) put(w *wire.Writer, kept bool) {
	if b.events == 0 {
		return
	}
	w.Uint(uint64(b.events))
	if kept {
		w.Bool(b.apart)
	}
	if b.apart {
		w.Raw(b.places.Bytes)
	} else {
		w.Uint(uint64(b.bytes))
	}
	w.Raw(b.hashes)
	w.Raw(b.ids)
	w.Uint(uint64(b.called))
	w.Raw(b.calls)
	*b = block{last: b.last, places: wire.Writer{Bytes: b.places.Bytes[:0]}, hashes: b.hashes[:0], ids: b.ids[:0], calls: b.calls[:0]}
}

type columnReader struct {
	from    *bufio.Reader
	chained bool // events have hashes
	kept    bool // all of them are in the blocks
	named   bool // … and ids
	keys    siphash.Key
	most    int // bytes of a line

	hashes [blockEvents]digest.Sum
	last   [maxRecent]digest.Sum
	ids    [blockEvents]uint64
	calls  [blockEvents]runCall
}

// errColumn means that a column does not match its summary.
var errColumn = errors.New("the column does not belong to the summary")

// next reads the next block of a run into r, sharing the reader's buffer. left is the number of events that remain,
// before the previous line. It returns the total size of the block's lines if they are adjacent.
func (c *columnReader) next(r *run, left int64, before where) (size int, err error) {
	n, err := c.number(min(uint64(left), blockEvents))
	if err == nil && n == 0 {
		err = errColumn
	}
	if err != nil {
		return 0, err
	}
	r.n, r.apart, r.hashes, r.ids, r.calls = int(n), nil, nil, nil, c.calls[:0]
	if size, err = c.lines(r, before); err != nil {
		return 0, err
	}
	if c.chained && c.kept {
		r.hashes = c.hashes[:n]
		if err := c.sums(r.hashes); err != nil {
			return 0, err
		}
	}
	if c.named {
		text, err := c.read(int(n) * len(idSum{}))
		if err != nil {
			return 0, err
		}
		r.ids = c.ids[:n]
		for i := range r.ids {
			r.ids[i] = idSum(text[i*len(idSum{}):]).key(c.keys)
		}
	}
	return size, c.readCalls(r)
}

func (c *columnReader) lines(r *run, before where) (size int, err error) {
	apart := uint64(0)
	if c.kept {
		if apart, err = c.number(1); err != nil {
			return 0, err
		}
	}
	if apart == 0 {
		lines, err := c.number(blockBytes + uint64(c.most) + 2)
		return int(lines), err
	}
	r.apart = make([]where, r.n)
	for i := range r.apart {
		if r.apart[i], err = c.place(before); err != nil {
			return 0, err
		}
		before = r.apart[i]
	}
	return 0, nil
}

// place reads the position of a line, relative to the previous one.
func (c *columnReader) place(before where) (where, error) {
	lines, err := c.number(math.MaxInt32)
	if err == nil && lines == 0 {
		err = errColumn
	}
	if err != nil {
		return where{}, err
	}
	bytes, err := c.number(math.MaxInt64 / 2)
	if err != nil {
		return where{}, err
	}
	size, err := c.number(uint64(c.most) + 2)
	return where{before.line + int(lines), before.end() + int64(bytes), int(size)}, err
}

// lastHashes reads the hashes stored before a run of n events. They are valid until the next run.
func (c *columnReader) lastHashes(n int64) ([]digest.Sum, error) {
	if !c.chained || c.kept {
		return nil, nil
	}
	last := c.last[:min(n, maxRecent)]
	return last, c.sums(last)
}

func (c *columnReader) sums(list []digest.Sum) error {
	text, err := c.read(len(list) * len(digest.Sum{}))
	for i := range list[:len(text)/len(digest.Sum{})] {
		copy(list[i][:], text[i*len(digest.Sum{}):])
	}
	return err
}

func (c *columnReader) readCalls(r *run) error {
	n, err := c.number(uint64(r.n))
	if err != nil {
		return err
	}
	const size = 1 + len(toolID{})
	text, err := c.read(int(n) * size)
	if err != nil {
		return err
	}
	before := -1
	for ; len(text) > 0; text = text[size:] {
		call := runCall{event: int(text[0]), id: toolID(text[1:size])}
		call.result = call.id[12]&answerBit != 0
		call.id[12] &^= answerBit
		if call.event <= before || call.event >= r.n || call.id == (toolID{}) {
			return errColumn
		}
		before = call.event
		r.calls = append(r.calls, call)
	}
	return nil
}

// number reads a number and checks that it does not exceed most.
func (c *columnReader) number(most uint64) (uint64, error) {
	n, err := binary.ReadUvarint(c.from)
	if err != nil {
		return 0, cutColumn(err)
	}
	if n > most {
		return 0, errColumn
	}
	return n, nil
}

// read returns the next n bytes, valid until the next call.
func (c *columnReader) read(n int) ([]byte, error) {
	text, err := c.from.Peek(n)
	if err != nil {
		return nil, cutColumn(err)
	}
	_, err = c.from.Discard(n)
	return text, err
}

func cutColumn(err error) error { return fmt.Errorf("the column cannot be read: %w", err) }
