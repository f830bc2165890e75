package evidence

import (
	"bytes"
	"io"
	"unsafe"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// batch is a reusable block of lines and their results.
type batch[T any] struct {
	block   source.Block
	results []Result
	checked []T                // result of the worker's check per event
	events  []Event            // the results' events, when they are asked for
	values  []strictjson.Value // of all events
}

// read reads the next lines. It drops a line that a read error truncates, unless the line already exceeds the
// limit.
func (b *batch[T]) read(blocks *source.Blocks) (err error) {
	b.block, err = blocks.Next(b.block.Data)
	if err == nil && !b.block.Whole() {
		if _, ending := blocks.Next(nil); ending != io.EOF && !b.tooLong() {
			err = ending
		}
	}
	if err != nil && err != io.EOF {
		return &ReadError{err}
	}
	return err
}

// tooLong reports whether the block is a single line beyond the limit.
func (b *batch[T]) tooLong() bool {
	for line := range b.block.Lines() {
		return line.Long
	}
	return false
}

// weight returns the approximate memory for the batch: results of tiny lines are much larger than the lines.
func (b *batch[T]) weight() int {
	var said T
	each := int(unsafe.Sizeof(Result{})+unsafe.Sizeof(said)) + findingBytes
	lines := 1 + bytes.Count(b.block.Data, []byte{'\n'})
	weight := cap(b.block.Data) + each*lines
	if unsafe.Sizeof(said) > 0 {
		weight += quoteBytes * max(0, bytes.Count(b.block.Data, []byte{'"'})-usualQuotes*lines)
	}
	return weight
}

// usualQuotes limits the quotation marks in an event counted without extra memory. Each pair beyond can cost
// quoteBytes in a check.
const (
	usualQuotes = 256
	quoteBytes  = 400
)

// findingBytes is the memory for the findings of a line. Most tiny lines lack every member and have many.
const findingBytes = 8 << 10

// blockLines limits the lines of a block, so that findings of tiny lines take a few megabytes at most. Usual events
// fill a block earlier.
const blockLines = 512

// hash hashes the lines of the block and runs the checks. It returns an error of the engines after the last valid
// result.
func (b *batch[T]) hash(h *Hasher, check func(*Result, *T)) error {
	clear(b.checked)
	b.results, b.checked, b.events, b.values = b.results[:0], b.checked[:0], b.events[:0], b.values[:0]
	for line := range b.block.Lines() {
		b.results = append(b.results, Result{})
		r := &b.results[len(b.results)-1]
		if err := h.hashLine(line, r); err != nil {
			b.results = b.results[:len(b.results)-1]
			return err
		}
		r.Offset, r.Ending, r.end = line.Offset, lineEnd(line), line.Offset+line.Size
		var none T
		b.checked = append(b.checked, none)
		check(r, &b.checked[len(b.checked)-1])
		b.keepEvent(r, h.opt.Events)
	}
	return nil
}

func lineEnd(line source.Line) string {
	switch {
	case line.CR && line.Terminated:
		return "\r\n"
	case line.CR:
		return "\r"
	case line.Terminated:
		return "\n"
	}
	return ""
}

func (h *Hasher) hashLine(line source.Line, r *Result) error {
	h.findings.room = h.opt.MaxFindings
	at := place{line.Bytes, line.Number}
	if line.Long || line.CR && line.Size >= h.opt.Limits.LineBytes { // a CR counts, as it does for the reference
		h.refuse(at, "line", r)
		return nil
	}
	return h.hash(at, r)
}

// keepEvent copies a result's event, which is otherwise only valid until the next line, if it is wanted.
func (b *batch[T]) keepEvent(r *Result, wanted bool) {
	switch {
	case r.Event == nil:
	case wanted:
		b.events = append(b.events, *r.Event)
		r.Event = &b.events[len(b.events)-1]
		r.Event.doc, b.values = r.Event.doc.Copy(b.values)
	default:
		r.Event = nil
	}
}
