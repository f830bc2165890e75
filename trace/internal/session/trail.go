package session

import (
	"encoding/binary"
	"iter"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/source"
)

// Trail records the events of a log in file order for a diagnosis, at 8 bytes for most events. Set it in
// Options.Trail of one checker.
type Trail struct {
	Records int64 // lines that are not blank
	Events  int64
	Last    int  // line of the last record
	Full    bool // there were more records than the limit; the rest is not recorded

	most     int
	steps    []Step
	keys     []Key // the last piece of memory for runs
	sessions map[digest.Sum]uint32
	name     string // session id of the last event, as JSON
	last     Place  // place of the last event
	line     int    // … and its line
}

// Key is the start of a hash, enough to identify an event.
type Key uint64

func keyOf(sum digest.Sum) Key { return Key(binary.BigEndian.Uint64(sum[:])) }

// KeyOfHex returns the key of a hash in hex digits, 0 for other texts.
func KeyOfHex(text string) Key {
	sum, _ := digest.ParseHex([]byte(text))
	return keyOf(sum)
}

// Step is a run of events on consecutive lines, each continuing the previous one, or of records that must be read
// again.
type Step struct {
	Place         // of the first event
	Run     []Key // hashes of the events
	Unsound int   // without events: how many records are not events, or have hashes that do not hold
	Line    int   // of the first record
	Offset  int64
}

// At returns the position of event i of the run.
func (s *Step) At(i int) Place {
	if i == 0 {
		return s.Place
	}
	p := Place{Hash: s.Run[i], Prev: s.Run[i-1], Session: s.Session, Numbered: s.Numbered}
	if p.Numbered {
		p.Number = s.Number + uint64(i)
	}
	return p
}

// Place is the position of an event in the chain.
type Place struct {
	Hash, Prev Key // as the event states them
	Number     uint64
	Session    uint32 // a number for its session id
	Numbered   bool
	Genesis    bool // Prev is that of a log's first event
	Start, End bool // a SESSION_START; a SESSION_END or CHAIN_SEAL
}

// NewTrail returns a trail of at most most records.
func NewTrail(most int) *Trail {
	return &Trail{most: most, sessions: map[digest.Sum]uint32{}, line: -1}
}

// Steps yields the steps in file order, once, and releases their memory.
func (t *Trail) Steps() iter.Seq[Step] {
	return func(yield func(Step) bool) {
		for i := range t.steps {
			s := t.steps[i]
			if t.steps[i].Run = nil; !yield(s) {
				return
			}
		}
	}
}

// Sound reports whether the first n records are events with matching hashes.
func (t *Trail) Sound(n int) bool {
	for i := 0; n > 0 && i < len(t.steps); i++ {
		if n -= len(t.steps[i].Run); t.steps[i].Unsound > 0 {
			return false
		}
	}
	return true
}

// Tells reports whether the trail covers all records of the log and most are events.
func (t *Trail) Tells(records int64) bool {
	return t != nil && !t.Full && t.Records == records && 2*t.Events > records
}

// SessionNumber returns the number that the trail gave to a session id.
func (t *Trail) SessionNumber(id string) uint32 {
	sum := digest.Of([]byte(id))
	n, known := t.sessions[sum]
	if !known {
		n = uint32(len(t.sessions))
		t.sessions[sum] = n
	}
	return n
}

// record adds a record that does not belong to a run.
func (t *Trail) record(e *event, env *envelope) {
	if t == nil || t.full(1) {
		return
	}
	t.Last = e.line.Number
	if e.lost != (loss{}) {
		t.unsound(e)
		return
	}
	t.Events++
	if t.name == "" || !e.same(sessionID, t.name) {
		t.name = e.textOf(sessionID)
		t.last.Session = t.SessionNumber(e.stringOf(sessionID))
		t.line = -1
	}
	at := placeOf(e, env)
	at.Session = t.last.Session
	if e.broken != hashesHold || env.number != noMember && !e.numbered {
		t.unsound(e)
		t.last = at
		return
	}
	t.sound(at, e.line)
}

// unsound adds a record that is not an event or has a hash mismatch.
func (t *Trail) unsound(e *event) {
	if n := len(t.steps); n > 0 && t.steps[n-1].Unsound > 0 {
		t.steps[n-1].Unsound++
	} else {
		t.steps = append(t.steps, Step{Unsound: 1, Line: e.line.Number, Offset: e.line.Offset})
	}
	t.line = -1
}

// sound adds an event with matching hashes.
func (t *Trail) sound(at Place, l source.Line) {
	if t.line+1 == l.Number && t.continues(at) && len(t.keys) < cap(t.keys) {
		s := &t.steps[len(t.steps)-1]
		t.keys = append(t.keys, at.Hash)
		s.Run = s.Run[:len(s.Run)+1]
	} else {
		if len(t.keys) == cap(t.keys) {
			t.keys = make([]Key, 0, min(max(64, 2*cap(t.keys)), maxKeys))
		}
		n := len(t.keys)
		t.keys = append(t.keys, at.Hash)
		t.steps = append(t.steps, Step{Place: at, Run: t.keys[n:], Line: l.Number, Offset: l.Offset})
	}
	t.last, t.line = at, l.Number
}

// continues reports whether an event continues the last run.
func (t *Trail) continues(at Place) bool {
	b := &t.last
	next := !at.Numbered || at.Number == b.Number+1
	return next && at.Prev == b.Hash && at.Numbered == b.Numbered && !at.Start && !at.End && !at.Genesis
}

// placeOf returns an event's position in the chain, without its session.
func placeOf(e *event, env *envelope) Place {
	return Place{
		Hash: keyOf(e.hash.Sum), Prev: keyOf(e.prev.Sum), Number: e.number, Numbered: e.numbered,
		Genesis: e.prev.null || e.prev.proper && env.genesis != "" && e.prev.Hex() == env.genesis,
		Start:   e.kind == sessionStart, End: e.kind == sessionEnd || e.kind == chainSeal,
	}
}

func (t *Trail) run(r *run) {
	if t == nil || t.full(int64(r.n)) {
		return
	}
	t.Events += int64(r.n)
	t.Last = r.lines[r.n-1].Number
	at := Place{Hash: keyOf(r.prev.Sum), Session: t.last.Session, Numbered: r.numbered}
	for i := range r.hashes {
		at.Prev, at.Hash = at.Hash, keyOf(r.hashes[i])
		if r.numbered {
			at.Number = r.number(i)
		}
		t.sound(at, r.lines[i])
	}
}

// maxKeys is the number of keys allocated at a time.
const maxKeys = 8 << 10

// full counts n records and reports whether the limit is exceeded.
func (t *Trail) full(n int64) bool {
	t.Records += n
	if t.Full = t.Full || t.Records > int64(t.most); t.Full {
		t.steps, t.keys = nil, nil
	}
	return t.Full
}
