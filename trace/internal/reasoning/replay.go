package reasoning

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// NewReplayer returns a checker for summaries of ranges. It reads the companion files and returns an error if one
// is rejected.
func NewReplayer(ctx context.Context, opt Options, limits stream.Limits, findings *stream.Findings, shape format.Shape) (*Checker, error) {
	c := Resume(ctx, opt, limits, findings, &Snapshot{Shape: shape, Keys: siphash.NewKey()})
	return c, c.start()
}

// Expect implements stream.Replayer. Ranges do not depend on later ones.
func (c *Checker) Expect([]byte) error { return nil }

// Replay implements stream.Replayer. It processes the records of a summary.
func (c *Checker) Replay(r stream.Replay) error {
	core, err := decodeCore(r.Core)
	if err != nil {
		return err
	}
	c.state.Counts.add(core.counts)
	c.state.Scope.add(core.scope)
	if core.unread {
		c.parts.head.unreadable()
	}
	if c.sink.Rejected() {
		c.readers.Stop()
	}
	recall := &recaller{read: r.Recall}
	c.sink.Log.Recall = recall.line
	rows := rows{
		from: bufio.NewReaderSize(r.Column, rowsBlock), limit: rowLimit(c.limits.LineBytes),
		decoder: format.NewDecoder(r.Lines, r.Offset, c.limits, c.state.Keys),
	}
	seen, text := counts{}, sha256.New()
	for rows.more() {
		b := c.blocks.Get()
		if rows.fill(b); rows.err != nil {
			break
		}
		seen.take(b)
		recall.block = b
		err := c.recallCanonical(b, recall, text)
		if err == nil {
			err = c.takeAll(b, c.files.Read(b))
		}
		c.blocks.Put(b)
		if err := cmp.Or(recall.err, err); err != nil {
			return err
		}
	}
	switch {
	case rows.err != nil:
		return rows.err
	case core.rejected:
		return nil
	case seen.Events != core.counts.Events, seen.Headers != core.counts.Headers:
		return fmt.Errorf("its column has rows of %d events and %d headers, the range has %d and %d", seen.Events, seen.Headers, core.counts.Events, core.counts.Headers)
	case c.state.Shape.HasID && !c.sink.Rejected() && digest.Sum(text.Sum(nil)) != core.text:
		return errors.New("its events have changed since the log was summarized")
	}
	return nil
}

// recallCanonical rereads lines that are already canonical, if the trace's fingerprint needs them, and hashes all
// canonical forms.
func (c *Checker) recallCanonical(b *format.Block, recall *recaller, text hash.Hash) error {
	if !c.state.Shape.HasID || c.sink.Rejected() || len(b.Records) == 0 {
		return nil
	}
	if b.IsCanonical() {
		if err := recall.all(); err != nil {
			return err
		}
	}
	for i := range b.Records {
		if r := &b.Records[i]; r.Role == format.IsEvent {
			text.Write(b.Event(r).Canonical)
		}
	}
	return nil
}

// rowsBlock is how many bytes of rows are decoded at a time, and linesBlock how many of their lines.
const (
	rowsBlock  = 64 << 10
	linesBlock = 1 << 20
)

// rowLimit limits a row. Canonical numbers can be longer than in the line, by a small factor.
func rowLimit(line int) uint64 { return 8*uint64(line) + rowsBlock }

type rows struct {
	from    *bufio.Reader
	limit   uint64
	decoder *format.Decoder
	room    []byte // for short rows
	read    int64  // rows
	err     error
}

func (r *rows) more() bool {
	if r.err != nil {
		return false
	}
	_, err := r.from.Peek(1)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return err == nil
}

func (r *rows) fill(b *format.Block) {
	for size := 0; size < rowsBlock && b.Extent() < linesBlock && r.more(); r.read++ {
		row, err := r.next()
		if err == nil {
			err = r.decoder.Add(row, b)
		}
		if err != nil {
			r.err = fmt.Errorf("row %d of its column: %w", r.read+1, err)
			return
		}
		size += len(row)
	}
}

func (r *rows) next() ([]byte, error) {
	size, err := binary.ReadUvarint(r.from)
	if err != nil {
		return nil, unexpected(err)
	}
	if size > r.limit {
		return nil, fmt.Errorf("it takes %d bytes, more than any line under --max-line-bytes", size)
	}
	if size <= rowsBlock {
		if uint64(len(r.room)) < size {
			r.room = make([]byte, rowsBlock)
		}
		row := r.room[:size:size]
		r.room = r.room[size:]
		_, err := io.ReadFull(r.from, row)
		return row, unexpected(err)
	}
	row, err := io.ReadAll(io.LimitReader(r.from, int64(size)))
	if err == nil && uint64(len(row)) < size {
		err = io.ErrUnexpectedEOF
	}
	return row, err
}

// unexpected returns the error for a column that ends within a row.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
