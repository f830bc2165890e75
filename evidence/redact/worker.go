package redact

import (
	"fmt"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/privacy"
)

// made is what a worker makes of one event.
type made struct {
	hashed  bool // sum is the content hash of the output's event
	sum     evidence.Sum
	text    []byte // of the event where it is another than the input's
	changes []change
	seq     *int64
	err     error // why there is no such event
}

// listed says whether the report has the event.
func (m *made) listed() bool { return m.text != nil || len(m.changes) > 0 }

// change is a change with its values, where somebody wants them.
type change struct {
	Change
	before, after []byte
}

// worker redacts events one after another.
type worker struct {
	redactor *privacy.Redactor
	hasher   *evidence.Hasher
	values   bool // are wanted of changes
	rehash   bool // wrong hashes are replaced in unchanged events, too
	patched  []byte
	slab     []byte // what was handed out stays as it is
}

// slabBytes is how much memory is taken at once.
const slabBytes = 128 << 10

// keep copies a text into memory that stays as it is.
func (w *worker) keep(parts ...[]byte) []byte {
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	if cap(w.slab)-len(w.slab) < size {
		w.slab = make([]byte, 0, max(slabBytes, size))
	}
	start := len(w.slab)
	for _, part := range parts {
		w.slab = append(w.slab, part...)
	}
	return w.slab[start:len(w.slab):len(w.slab)]
}

// event redacts one event. One that has no content hash is none.
func (w *worker) event(r *evidence.Result, m *made) {
	if r.Event == nil || !r.Hashed {
		return
	}
	m.hashed, m.sum = true, r.Sum
	defer w.redactor.Trim()
	patched, changes, err := w.redactor.Event(w.patched[:0], r.Event)
	if err != nil {
		m.err = err
		return
	}
	w.patched = patched
	changed := w.list(m, changes)
	switch {
	case changed:
		m.err = w.hash(m, patched)
	case w.rehash && r.Match == evidence.Different:
		m.err = w.hash(m, r.Text())
	}
	if m.listed() {
		if seq, ok := r.Event.Get(evidence.AttrSequence).Int(); ok {
			m.seq = &seq
		}
	}
}

// list keeps the changes, and says whether one of them is more than reported.
func (w *worker) list(m *made, changes []privacy.Change) (changed bool) {
	if len(changes) > 0 {
		m.changes = make([]change, 0, len(changes))
	}
	for i := range changes {
		c := &changes[i]
		kept := change{Change: Change{Pointer: c.Pointer, Class: c.Class.String(), Rule: c.Rule, Action: string(c.Action), Reported: c.Reported}}
		if w.values {
			kept.before = w.keep(c.Before)
			if c.After != nil {
				kept.after = w.keep(c.After)
			}
		}
		m.changes = append(m.changes, kept)
		changed = changed || !c.Reported
	}
	return changed
}

// hash makes the event of a text whose recorded hash is not its own any more. One without a
// recorded hash stays without.
func (w *worker) hash(m *made, text []byte) error {
	r, err := w.hasher.Hash(text)
	switch {
	case err != nil:
		return err
	case !r.Hashed:
		return fmt.Errorf("the event cannot be hashed once it is redacted: %s", r.Findings[0].Message)
	}
	m.sum = r.Sum
	recorded := r.Event.Get(evidence.AttrContentHash)
	if recorded.Missing() {
		m.text = w.keep(text)
		return nil
	}
	start, end := recorded.Span()
	m.text = w.keep(text[:start], []byte(`"`+r.Sum.String()+`"`), text[end:])
	return nil
}
