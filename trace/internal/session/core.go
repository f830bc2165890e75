package session

import (
	"math"
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// The core of a summary describes the lines of a range:
//
//	core  = asks kept ids calls errors notes entry…
//	asks    whether an event needs all previous hashes, see asks
//	kept    whether the column has all hashes; otherwise only the last ones of each run
//	ids     number of events in runs that have an id
//	calls   number of tool calls in runs
//	errors  number of integrity faults found on single lines
//	notes   the first note of each kind, in file order
//	entry   lost lines, an event or a run, in file order
//
// Lines and offsets are relative to the range.

// coreHead is the first part of a core.
type coreHead struct {
	asks, kept bool
	ids, calls uint64
}

func (h *coreHead) put(w *wire.Writer) {
	w.Bool(h.asks)
	w.Bool(h.kept)
	w.Uint(h.ids)
	w.Uint(h.calls)
}

func readCoreHead(r *wire.Reader) coreHead {
	return coreHead{asks: r.Bool(), kept: r.Bool(), ids: r.Uint(), calls: r.Uint()}
}

// entryKind is the first byte of an entry.
type entryKind uint8

const (
	aLoss entryKind = iota + 1
	anEvent
	aRun
	entryKinds
)

// maxKept limits the texts in an event's entry. Larger texts are reread from the log.
const maxKept = 1 << 10

// coreWriter writes entries. It omits data that equals the previous event's.
type coreWriter struct {
	wire.Writer
	line int       // of the last entry
	hash link      // of the last event
	told extraData // of the last event whose texts were written
	lost losses
}

func (w *coreWriter) event(e *event) {
	w.Uint(uint64(anEvent))
	w.Uint(uint64(e.line.Number - w.line))
	w.Uint(uint64(e.line.Offset))
	w.Uint(uint64(len(e.line.Bytes)))
	w.Uint(uint64(e.kind))
	w.Bool(e.numbered)
	if e.numbered {
		w.Uint(uint64(e.counter))
		w.Uint(e.number)
		w.Uint(e.first)
	}
	w.link(e.hash)
	w.link(e.prev)
	for _, small := range []uint8{e.version, e.profiles, uint8(e.broken), uint8(e.marks), uint8(e.unproven), uint8(e.signed)} {
		w.Uint(uint64(small))
	}
	if e.marks.has(hasWall) {
		w.Int(e.wall)
		w.Uint(uint64(e.nanos))
	}
	if e.marks.has(hasTicks) {
		w.Uint(e.ticks)
	}
	if e.marks.has(hasID) {
		w.Raw(e.idSum[:])
	}
	w.Bool(e.tool != call{})
	if e.tool != (call{}) {
		w.Raw(e.tool.id[:])
	}
	w.texts(e)
	w.line, w.hash = e.line.Number, e.hash
}

// texts writes the texts that parts need, unless they are too long.
func (w *coreWriter) texts(e *event) {
	now := extraData{session: e.jsonOf(sessionID), authority: e.jsonOf(chainAuthority)}
	if !e.hash.proper {
		now.hash = e.jsonOf(eventHash)
	}
	rest := wire.Writer{}
	rest.Bool(e.detail != nil)
	if e.detail != nil {
		putDetail(&rest, e.detail)
	}
	short := len(now.session)+len(now.authority)+len(now.hash)+len(rest.Bytes) <= maxKept
	if w.Bool(short); !short {
		return
	}
	w.unlessSame(now.session, w.told.session)
	w.unlessSame(now.authority, w.told.authority)
	w.Text(now.hash)
	w.Raw(rest.Bytes)
	w.told = now
}

// unlessSame writes a text only if it differs from the previous one.
func (w *coreWriter) unlessSame(text, before string) {
	if w.Bool(text == before); text != before {
		w.Text(text)
	}
}

func putDetail(w *wire.Writer, d *detail) {
	for _, key := range payloadKeys {
		s := d.said[key]
		w.Uint(uint64(s.kind))
		if s.is() {
			w.Text(s.text)
		}
	}
	w.Bool(d.hasLeaves)
	if d.hasLeaves {
		w.Uint(d.leaves)
	}
	w.Text(d.mac)
}

// How an entry encodes a link.
const (
	nullLink = iota
	properLink
	oddLink
	linkBefore // the hash of the event before
	linkSpellings
)

func (w *coreWriter) link(l link) {
	switch {
	case l.null:
		w.Uint(nullLink)
	case l == w.hash:
		w.Uint(linkBefore)
	case l.proper:
		w.Uint(properLink)
		w.Sum(l.Sum)
	default:
		w.Uint(oddLink)
		w.Sum(l.Sum)
	}
}

type coreReader struct {
	*wire.Reader
	most int // bytes of a line

	line int       // of the last entry
	told extraData // of the last event whose texts were there
}

// number reads a number and checks that it does not exceed most.
func (r *coreReader) number(most uint64) uint64 {
	n := r.Uint()
	if n > most {
		r.Fail("a number out of range")
		return 0
	}
	return n
}

func (r *coreReader) small() uint8 { return uint8(r.number(math.MaxUint8)) }

// where reads the position of a line, relative to the previous one.
func (r *coreReader) where(before int) where {
	line := int(r.number(math.MaxInt32)) + before
	return where{line: line, offset: int64(r.number(math.MaxInt64 / 2)), size: int(r.number(uint64(r.most)))}
}

// event reads an event. hash is the hash of the previous event. whole is false if the event's line must be reread
// to complete it.
func (r *coreReader) event(hash link) (e *event, at where, whole bool) {
	at = r.where(r.line)
	r.line = at.line
	e = &event{told: &extraData{}}
	e.kind = eventType(r.number(uint64(typeCount) - 1))
	if e.numbered = r.Bool(); e.numbered {
		e.counter, e.number, e.first = member(r.number(uint64(memberCount)-1)), r.Uint(), r.Uint()
	}
	e.hash, e.prev = r.link(hash), r.link(hash)
	e.version, e.profiles = r.small(), r.profiles()
	e.broken = hashFault(r.number(uint64(eventHashFails)))
	e.marks, e.unproven, e.signed = marks(r.small()), unproven(r.small()), sigState(r.number(uint64(sigStates)-1))
	if e.marks.has(hasWall) {
		e.wall, e.nanos = r.Int(), uint32(r.number(math.MaxUint32))
	}
	if e.marks.has(hasTicks) {
		e.ticks = r.Uint()
	}
	if e.marks.has(hasID) {
		copy(e.idSum[:], r.Raw(len(e.idSum)))
	}
	if r.Bool() {
		copy(e.tool.id[:], r.Raw(len(e.tool.id)))
	}
	if whole = r.Bool(); whole {
		r.texts(e)
	}
	return e, at, whole
}

func (r *coreReader) texts(e *event) {
	r.told = extraData{session: r.unlessSame(r.told.session), authority: r.unlessSame(r.told.authority), hash: r.Text()}
	*e.told = r.told
	if r.Bool() {
		e.detail = r.detail()
	}
}

func (r *coreReader) unlessSame(before string) string {
	if r.Bool() {
		return before
	}
	return r.Text()
}

func (r *coreReader) detail() *detail {
	d := &detail{said: map[string]statement{}}
	for _, key := range payloadKeys {
		s := statement{kind: strictjson.Kind(r.number(uint64(strictjson.Object)))}
		if s.is() {
			s.text = r.Text()
		}
		if s.kind != strictjson.Absent {
			d.said[key] = s
		}
	}
	if d.hasLeaves = r.Bool(); d.hasLeaves {
		d.leaves = r.Uint()
	}
	d.mac = r.Text()
	return d
}

func (r *coreReader) link(before link) link {
	switch r.number(linkSpellings - 1) {
	case nullLink:
		return link{null: true}
	case properLink:
		return link{Sum: r.Sum(), proper: true}
	case linkBefore:
		return before
	}
	return link{Sum: r.Sum()}
}

func (r *coreReader) profiles() uint8 { return uint8(r.number(1<<len(Profiles) - 1)) }

// losses are consecutive lines without an event, with the same cause and spacing.
type losses struct {
	loss
	n     int64
	apart int // lines from one to the next, and to the first from the entry before
}

// lose buffers a line without an event until endLosses.
func (w *coreWriter) lose(e *event) {
	next := losses{loss: e.lost, n: 1, apart: e.line.Number - w.line}
	if last := &w.lost; last.loss == next.loss && last.apart == next.apart {
		last.n++
	} else {
		w.endLosses()
		w.lost = next
	}
	w.line = e.line.Number
}

func (w *coreWriter) endLosses() {
	if l := w.lost; l.n > 0 {
		w.Uint(uint64(aLoss))
		w.Uint(uint64(l.n))
		w.Uint(uint64(l.apart))
		w.Text(l.rule)
		w.Bool(l.misfit)
		w.Bool(l.cut)
		w.Uint(uint64(l.glued))
	}
	w.lost = losses{}
}

func (r *coreReader) losses() losses {
	return losses{
		n: int64(r.number(math.MaxInt32)), apart: int(r.number(math.MaxInt32)),
		loss: loss{rule: r.Text(), misfit: r.Bool(), cut: r.Bool(), glued: int(r.number(math.MaxInt32))},
	}
}

type runEntry struct {
	n        int64
	offset   int64 // of its first line
	numbered bool  // its events have numbers
	runFacts
}

func (w *coreWriter) run(e *runEntry) {
	w.Uint(uint64(aRun))
	w.Uint(uint64(e.n))
	w.Uint(uint64(e.offset))
	w.Bool(e.numbered)
	w.Uint(uint64(e.seen))
	w.Uint(uint64(e.profiles))
	w.Uint(uint64(e.unproven))
	for _, n := range e.signed {
		w.Uint(uint64(n))
	}
	for _, clock := range []shown{e.wall, e.ticks} {
		if w.Bool(clock.is); clock.is {
			w.Int(clock.Seconds)
			w.Uint(clock.Parts)
		}
	}
}

func (r *coreReader) run() (e runEntry) {
	e.n, e.offset = int64(r.number(math.MaxInt32)), int64(r.number(math.MaxInt64/2))
	e.numbered = r.Bool()
	e.seen, e.profiles, e.unproven = uint32(r.number(1<<typeCount-1)), r.profiles(), unproven(r.small())
	for state := range e.signed {
		e.signed[state] = int64(r.number(math.MaxInt32))
	}
	e.wall, e.ticks = r.shown(), r.shown()
	return e
}

func (r *coreReader) shown() (s shown) {
	if s.is = r.Bool(); s.is {
		s.clockTime = clockTime{r.Int(), r.Uint()}
	}
	return s
}

type noteEntry struct {
	note
	sum      idSum // of the member's name
	numbered bool
	number   uint64
	line     where
}

func (n *noteEntry) put(w *wire.Writer) {
	w.Uint(uint64(n.rule))
	w.Uint(uint64(slices.Index(allTables(), n.table)))
	w.Raw(n.sum[:])
	w.Uint(uint64(n.line.line))
	w.Uint(uint64(n.line.offset))
	w.Uint(uint64(n.line.size))
	if w.Bool(n.numbered); n.numbered {
		w.Uint(n.number)
	}
	for _, s := range []span{n.name, n.at} {
		w.Uint(uint64(s.start))
		w.Uint(uint64(s.end))
	}
	w.Text(n.where.member)
	w.Uint(uint64(n.where.element))
}

// leastNote is the minimum encoded size of a note.
const leastNote = len(idSum{}) + 11

func (r *coreReader) note() (n noteEntry) {
	n.rule = rule(r.number(uint64(len(rules)) - 1))
	n.table = allTables()[r.number(uint64(len(allTables())-1))]
	copy(n.sum[:], r.Raw(len(n.sum)))
	n.line = r.where(0)
	if n.numbered = r.Bool(); n.numbered {
		n.number = r.Uint()
	}
	size := uint64(n.line.size)
	for _, s := range []*span{&n.name, &n.at} {
		s.start = int32(r.number(size))
		s.end = int32(r.number(size))
	}
	if n.name.end-n.name.start < 2 || n.at.end < n.at.start {
		r.Fail("a note on a member without a name")
	}
	n.where = place{member: r.Text(), element: int(r.number(math.MaxInt32))}
	return n
}
