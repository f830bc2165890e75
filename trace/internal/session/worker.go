package session

import (
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// reader checks one aspect of an event's line and stores data for the parts on the event.
type reader interface {
	read(rec *record, e *event)
}

// worker reads single events. Hashes are checked in batches (see settle). It is not safe for concurrent use.
type worker struct {
	shape   shapeReader
	readers []reader    // of a line that has the envelope's shape
	hashes  *hashReader // one of them; nil: the events have no hashes
	record  record
	batch   *batch // of the lines since the last Flush, or nil

	follower *follower // of the lines of the batch; nil: no runs are made of them

	fresh   func() *batch      // returns an empty batch
	deliver func(*batch) error // takes a full one, in file order
}

func (w *worker) Line(l source.Line, doc *strictjson.Document) {
	w.begin()
	e := w.batch.next()
	e.line = l
	w.record.begin(l, doc, &w.batch.batchFindings, len(w.batch.events)-1)
	if fault, good := w.shape.read(&w.record, e); !good {
		e.lost = loss{rule: rules[fault].ID, misfit: true}
		return
	}
	for _, r := range w.readers {
		r.read(&w.record, e)
	}
	if w.batch.unsettled() >= maxUnsettled || w.hashes != nil && w.hashes.awaited.full() {
		w.settle()
	}
}

// maxUnsettled limits the events per batch, so that they stay in the cache.
const maxUnsettled = 16

// Unreadable records a line without an event.
func (w *worker) Unreadable(l stream.Lost) {
	w.begin()
	e := w.batch.next()
	e.line, e.lost = l.Line, loss{rule: l.Fault.Rule, cut: l.Cut, glued: l.Glued}
}

func (w *worker) settle() {
	if w.hashes != nil {
		w.hashes.settle(&w.record, w.batch)
	}
	w.batch.settle(w.follower)
}

// Flush returns a function that processes the block in file order.
func (w *worker) Flush() func() error {
	if w.batch == nil {
		return func() error { return nil }
	}
	w.settle()
	full := w.batch
	w.batch = nil
	full.runs.end()
	if w.follower != nil {
		w.follower.forget()
	}
	return func() error { return w.deliver(full) }
}

func (w *worker) begin() {
	if w.batch == nil {
		w.batch = w.fresh()
	}
}
