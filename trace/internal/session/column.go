package session

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// The column of a summary has what cannot be told shorter of the events of its runs, in
// blocks, so that it is written and read with little memory. A block has
//
//	events  their number, at most blockEvents
//	bytes   of their lines with the ends
//	hashes  32 bytes each, in a log with hashes
//	ids     12 bytes each, where they have some
//	calls   their number; of each the event's place in the block, and 16 bytes, of which
//	        the lowest bit of the 13th's top says whether it is an answer
//
// No block goes on over the end of a run.

// blockEvents is how many events a block has at most, and blockBytes after how many bytes
// of lines it ends: so much is read again when a finding quotes one of them.
const (
	blockEvents = 64
	blockBytes  = 64 << 10
)

// block is the block under work.
type block struct {
	events int
	bytes  int64
	hashes []byte
	ids    []byte
	calls  []byte
	called int
}

// add adds an event.
func (b *block) add(e *event, size int64) {
	if e.hash.proper {
		b.hashes = append(b.hashes, e.hash.Sum[:]...)
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
	b.bytes += size
}

// answerBit is set in the id of a result. Ids leave it free.
const answerBit = 0x80

func (b *block) full() bool { return b.events == blockEvents || b.bytes >= blockBytes }

// put writes the block and empties it.
func (b *block) put(w *wire.Writer) {
	if b.events == 0 {
		return
	}
	w.Uint(uint64(b.events))
	w.Uint(uint64(b.bytes))
	w.Raw(b.hashes)
	w.Raw(b.ids)
	w.Uint(uint64(b.called))
	w.Raw(b.calls)
	*b = block{hashes: b.hashes[:0], ids: b.ids[:0], calls: b.calls[:0]}
}

// columnSource is what a column is read from.
type columnSource interface {
	io.Reader
	io.ByteReader
}

// columnReader reads the blocks of a column.
type columnReader struct {
	from    columnSource
	chained bool
	keys    siphash.Key
	most    int // bytes of a line

	hashes [blockEvents]digest.Sum
	ids    [blockEvents]uint64
	calls  [blockEvents]runCall
}

// errColumn is what a column that no summary has is refused with.
var errColumn = errors.New("the column does not go with the summary")

// next reads the next block of a run, of which so many events are left, into r, which
// shares the reader's memory. It returns the bytes that the block's lines take.
func (c *columnReader) next(r *run, left int64, ids bool) (size int64, err error) {
	n, err := c.number(min(uint64(left), blockEvents))
	if err == nil && n == 0 {
		err = errColumn
	}
	if err != nil {
		return 0, err
	}
	lines, err := c.number(blockBytes + uint64(c.most) + 2)
	if err != nil {
		return 0, err
	}
	r.n, r.hashes, r.ids, r.calls = int(n), nil, nil, c.calls[:0]
	if c.chained {
		r.hashes = c.hashes[:n]
		for i := range r.hashes {
			if err := c.read(r.hashes[i][:]); err != nil {
				return 0, err
			}
		}
	}
	if ids {
		r.ids = c.ids[:n]
		var sum idSum
		for i := range r.ids {
			if err := c.read(sum[:]); err != nil {
				return 0, err
			}
			r.ids[i] = sum.key(c.keys)
		}
	}
	return int64(lines), c.readCalls(r)
}

func (c *columnReader) readCalls(r *run) error {
	n, err := c.number(uint64(r.n))
	if err != nil {
		return err
	}
	before := -1
	for range n {
		var text [1 + len(toolID{})]byte
		if err := c.read(text[:]); err != nil {
			return err
		}
		call := runCall{event: int(text[0]), id: toolID(text[1:])}
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

// number reads a number that is not above a limit.
func (c *columnReader) number(most uint64) (uint64, error) {
	n, err := binary.ReadUvarint(c.from)
	if err != nil {
		return 0, fmt.Errorf("the column cannot be read: %w", err)
	}
	if n > most {
		return 0, errColumn
	}
	return n, nil
}

func (c *columnReader) read(b []byte) error {
	if _, err := io.ReadFull(c.from, b); err != nil {
		return fmt.Errorf("the column cannot be read: %w", err)
	}
	return nil
}
