package evidence

import (
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// batch is a block of lines with their results. It is used again.
type batch struct {
	block   source.Block
	results []Result
	events  []Event            // the results' events, when they are asked for
	values  []strictjson.Value // of all events
}

// hash hashes the lines of the block. The error is that of the engines at the line
// after the last result.
func (b *batch) hash(h *Hasher) error {
	h.findings.room = h.opt.MaxFindings
	b.results, b.events, b.values = b.results[:0], b.events[:0], b.values[:0]
	for line := range b.block.Lines() {
		b.results = append(b.results, Result{})
		r := &b.results[len(b.results)-1]
		if err := h.hashLine(line, r); err != nil {
			b.results = b.results[:len(b.results)-1]
			return err
		}
		r.end = line.Offset + line.Size
		b.keepEvent(r, h.opt.Events)
	}
	return nil
}

func (h *Hasher) hashLine(line source.Line, r *Result) error {
	at := place{line.Bytes, line.Number}
	if line.Long {
		h.refuse(at, "line", r)
		return nil
	}
	return h.hash(at, r)
}

// keepEvent copies a result's event, which is the hasher's own until the next line, or
// lets it go.
func (b *batch) keepEvent(r *Result, wanted bool) {
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
