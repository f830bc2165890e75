package session

import (
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// reader reads one thing of an event's line, reports what is wrong with it, and leaves
// on the event what the parts need.
type reader interface {
	read(rec *record, e *event)
}

// worker reads single events, on one goroutine.
type worker struct {
	shape   shapeReader
	readers []reader // of a line that has the envelope's shape
	record  record
	batch   *batch // of the lines since the last Flush; nil: there are none

	follower *follower // of the lines of the batch; nil: no runs are made of them

	fresh   func() *batch      // returns an empty batch
	deliver func(*batch) error // takes a full one, in file order
}

// Line reads one event.
func (w *worker) Line(l source.Line, doc *strictjson.Document) {
	w.begin()
	e := w.batch.next()
	e.line = l
	w.record.begin(l, doc, w.batch)
	if fault, good := w.shape.read(&w.record, e); !good {
		e.lost = loss{rule: rules[fault].ID, misfit: true}
		w.lose()
		return
	}
	for _, r := range w.readers {
		r.read(&w.record, e)
	}
	if w.follower != nil {
		straight := w.follower.straight(e)
		if w.follower.pass(e, straight); straight && !w.batch.noted() {
			w.batch.extend()
		}
	}
}

// Unreadable leaves a hole in the chain.
func (w *worker) Unreadable(l stream.Lost) {
	w.begin()
	e := w.batch.next()
	e.line, e.lost = l.Line, loss{rule: l.Fault.Rule, cut: l.Cut, glued: l.Glued}
	w.lose()
}

func (w *worker) lose() {
	if w.follower != nil {
		w.follower.lose()
	}
}

// Flush hands the block's events over to be put in order.
func (w *worker) Flush() func() error {
	full := w.batch
	if full == nil {
		return func() error { return nil }
	}
	w.batch = nil
	full.runs.end()
	if w.follower != nil {
		w.follower.forget()
	}
	return func() error { return w.deliver(full) }
}

// begin makes room for a line.
func (w *worker) begin() {
	if w.batch == nil {
		w.batch = w.fresh()
	}
}
