package redact

import (
	"fmt"
	"slices"
	"sync"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/privacy"
)

type made struct {
	hashed  bool // sum is the content hash of the output's event
	sum     evidence.Sum
	text    []byte // of the event where it is another than the input's
	changes []change
	later   bool // there are too many changes to wait: they are found again in their turn
	seq     *int64
	err     error // why the event was not redacted
}

// waitingChanges limits the buffered changes of an event, which can have one per eight bytes, two hundred bytes
// each.
const waitingChanges = 16

func (m *made) listed() bool { return m.text != nil || len(m.changes) > 0 || m.later }

// change is a change with its values, if the caller needs them.
type change struct {
	Change
	before, after []byte
}

type redactor interface {
	Event(dst []byte, e *evidence.Event) (out []byte, changes []privacy.Change, err error)
	Trim()
}

// worker redacts one event after another.
type worker struct {
	redactor redactor
	hasher   *evidence.Hasher
	values   bool // are wanted of changes
	rehash   bool // also replace wrong hashes of unchanged events
	longest  int64
	patched  []byte
	slab     []byte // earlier slices stay valid

	shared *shared // that redacts large events; nil: this is it
}

// largeBytes is the size from which an event is large.
const largeBytes = 64 << 10

// shared is the single worker for large events, to limit the memory of their changes.
type shared struct {
	mu sync.Mutex
	worker
}

func (s *shared) event(r *evidence.Result, m *made) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.worker.event(r, m)
}

// changes computes the changes of an event again.
func (s *shared) changes(r *evidence.Result, m *made) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.redactor.Trim()
	again, err := s.hasher.Hash(r.Text())
	if err != nil {
		return err
	}
	_, changes, err := s.redactor.Event(s.patched[:0], again.Event)
	if err != nil {
		return err
	}
	s.keepChanges(m, changes)
	return nil
}

// slabBytes is the allocation size.
const slabBytes = 128 << 10

// keep copies a text into memory that is not reused.
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

// event redacts an event. It skips events without a content hash.
func (w *worker) event(r *evidence.Result, m *made) {
	if r.Event == nil || !r.Hashed {
		return
	}
	if w.shared != nil && len(r.Text()) >= largeBytes {
		w.shared.event(r, m)
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
	if m.later = len(changes) > waitingChanges; !m.later {
		w.keepChanges(m, changes)
	}
	switch {
	case slices.ContainsFunc(changes, func(c privacy.Change) bool { return !c.Reported }):
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

// keepChanges copies changes out of the redactor's memory.
func (w *worker) keepChanges(m *made, changes []privacy.Change) {
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
	}
}

// hash updates the recorded hash of a changed event, if it has one.
func (w *worker) hash(m *made, text []byte) error {
	if int64(len(text)) > w.longest {
		return &GrownError{len(text), w.longest}
	}
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
