package session

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"slices"
	"sync"

	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Sessions verifies a log of interleaved sessions. Each has a separate checker and is judged as if
// its lines were a log.
//
// A line belongs to the session in its session_id; lines without one form one unnamed session. How
// a session is read depends on its first line; a worker that does not know it assumes the first it
// sees, and lines are reread if that was wrong.
type Sessions struct {
	opt    Options
	limits stream.Limits
	family func(strictjson.Node) string // of a record; "" for other families
	room   *stream.Room
	again  *manyWorker          // reads lines once more
	begin  func(*One) error     // makes the taker of a session
	first  map[sessionKey]facts // of sessions whose first record is elsewhere, if known

	what    string           // what the limit counts
	strange func(*One) error // takes a session of no family of this package in place of its events; nil: they are wanted

	events     int64    // of all sessions
	misfits    int64    // readable lines that are not events
	held       int      // number of sessions in memory
	resting    row      // of them, those that have ended
	idle       row      // those that were put away and have memories
	ended      int      // weight of all that were put away
	memories   memories // of all sessions
	remembered int      // bytes of their summaries

	mu    sync.RWMutex // workers look sessions up
	byKey map[sessionKey]*One
	list  []*One // by their first lines
}

// One is one of the sessions.
type One struct {
	ID       string // as reports show it; "" for the lines that name none
	Named    bool
	Line     int // of its first record
	Family   string
	Findings *stream.Findings // nil while it is put away

	key        sessionKey
	place      int // in the list
	facts      facts
	memories   memories
	remembered int      // bytes of its summary
	taker      taker    // of its events; nil while it is put away, and where the first record belongs to no family of this package
	checker    *Checker // its checker
	away       evicted

	row           *row // its row while idle
	before, after *One
}

// taker takes the events of a session in file order.
type taker interface {
	begin(b *batch) // before the events of a block
	next(e *event)
}

// NewOne returns a session with lines read elsewhere. checker is nil for other families.
func NewOne(id string, named bool, line int, family string, findings *stream.Findings, checker *Checker) *One {
	return &One{ID: id, Named: named, Line: line, Family: family, Findings: findings, checker: checker}
}

// sessionKey is a digest of a session's id; the zero key is that of lines without one.
type sessionKey [sha256.Size]byte

// facts are properties of a log's first record that affect reading the others.
type facts struct {
	family string
	key    ed25519.PublicKey
}

// equal reports whether lines are read in the same way under either.
func (f facts) equal(g facts) bool { return f.family == g.family && bytes.Equal(f.key, g.key) }

// NewSessions returns a checker for a log of many sessions, up to the limit. family returns a
// record's family, or "". opt must have passed Options.Check and not refer to a single session.
func NewSessions(limits stream.Limits, opt Options, family func(strictjson.Node) string) *Sessions {
	if opt.Keys == (siphash.Key{}) {
		opt.Keys = siphash.NewKey()
	}
	s := &Sessions{opt: opt, limits: limits, family: family, room: stream.NewRoom(limits.Findings), byKey: map[sessionKey]*One{}}
	s.again, s.begin, s.what, s.strange = s.worker(), s.check, "sessions open at a time", s.keepStrange
	return s
}

// check makes the checker of a session.
func (s *Sessions) check(one *One) (err error) {
	one.Findings = s.room.Findings(one.place, one.Line)
	if one.Family != "" {
		opt := s.opt
		if opt.Set != nil {
			opt.pin(one.key)
		}
		one.checker, err = NewReplayer(one.Findings, s.limits, one.Family, one.facts.key, opt)
		one.taker = one.checker
	}
	return err
}

// pin sets the expected state of a session.
func (o *Options) pin(key sessionKey) {
	a, ok := o.Set.Of[key]
	switch {
	case !ok:
	case o.Set.Growing:
		o.Anchor = &a
	default:
		o.ExpectCount, o.ExpectHead = &a.Events, a.Head
	}
	o.Unended = o.Unended || o.Set.Growing
}

// Key returns the digest of the session's id; zero for lines without one.
func (one *One) Key() [sha256.Size]byte { return one.key }

// keepStrange puts a session away that will never have a checker.
func (s *Sessions) keepStrange(one *One) error {
	if err := s.begin(one); err != nil {
		return err
	}
	if err := one.putAway(); err != nil {
		return err
	}
	return s.keep(one)
}

// List returns the sessions in the order of their first lines.
func (s *Sessions) List() []*One { return s.list }

// Worker returns a reader of single events.
func (s *Sessions) Worker() stream.Worker { return s.worker() }

func (s *Sessions) worker() *manyWorker {
	return &manyWorker{all: s, families: map[string]*familyWorker{}, at: map[string]int{}}
}

// Finish counts what all sessions have. What each comes to, its own Finish says.
func (s *Sessions) Finish() (o stream.Outcome, err error) {
	o.Events, o.Misfits = s.events, s.misfits
	return o, nil
}

// End runs the final checks of a session, once.
func (one *One) End() { one.checker.atEnd() }

// Outcome returns the session's outcome, after End, or in a log that was not read to its end.
func (one *One) Outcome(interrupted bool) stream.Outcome {
	if interrupted {
		return one.checker.Partial()
	}
	return one.checker.concluded()
}

// mixedBlock are the lines of a block.
type mixedBlock struct {
	parts []portion // by their first lines
	order []int     // the part of each line
}

// portion is a block's part of one session.
type portion struct {
	key   sessionKey
	id    string // "" once the session is known
	named bool
	facts facts // under which the lines were read
	batch *batch
	next  int // event to be put in order
}

// putInOrder takes the lines of a block after those of the blocks before it.
func (s *Sessions) putInOrder(m *mixedBlock) error {
	sessions := make([]*One, len(m.parts))
	for i := range m.parts {
		one, err := s.session(&m.parts[i])
		if err != nil {
			return err
		}
		sessions[i] = one
	}
	for _, i := range m.order {
		if one := sessions[i]; s.takes(one) {
			if err := s.take(one, &m.parts[i]); err != nil {
				return err
			}
		}
	}
	for i := range m.parts {
		m.parts[i].batch.release()
	}
	return nil
}

// takes reports whether the events of a session are wanted.
func (s *Sessions) takes(one *One) bool { return one.Family != "" || s.strange == nil }

// take takes the next event of a session in a block.
func (s *Sessions) take(one *One, p *portion) error {
	if err := s.hold(one); err != nil {
		return err
	}
	if p.next == 0 {
		one.taker.begin(p.batch)
	}
	e := &p.batch.events[p.next]
	p.next++
	switch {
	case e.lost == loss{}:
		s.events++
	case e.lost.misfit:
		s.misfits++
	}
	one.taker.next(e)
	return s.settle(one)
}

// session returns a part's session, creating it if necessary. The part is read as the session's
// first record requires.
func (s *Sessions) session(p *portion) (*One, error) {
	one := s.byKey[p.key] // no concurrent writes
	switch {
	case one == nil:
		return s.add(p)
	case !s.takes(one):
		p.batch.findings = nil // of a worker that had not seen the session's first record
		return one, nil
	case !one.facts.equal(p.facts):
		if err := s.reread(p, one.facts); err != nil {
			return nil, err
		}
	}
	return one, p.batch.err
}

// add adds the session that begins with a part.
func (s *Sessions) add(p *portion) (*One, error) {
	line := p.batch.events[0].line.Number
	one := &One{ID: p.id, Named: p.named, Line: line, Family: p.facts.family, key: p.key, place: len(s.list), facts: p.facts}
	if !s.takes(one) {
		if err := s.strange(one); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	s.byKey[p.key] = one
	s.mu.Unlock()
	s.list = append(s.list, one)
	return one, p.batch.err
}

// reread reads the lines of a part as the session's first record says.
func (s *Sessions) reread(p *portion, f facts) error {
	before := p.batch
	p.batch, p.facts = s.again.fresh(), f
	for i := range before.events {
		l := before.events[i].line
		doc, err := s.again.scan(l)
		if err != nil {
			return err
		}
		s.again.read(l, doc, p)
	}
	before.findings = nil // they were found under other terms
	before.release()
	return nil
}

// manyWorker reads single events of many sessions, on one goroutine.
type manyWorker struct {
	all      *Sessions
	families map[string]*familyWorker
	scanner  *strictjson.Scanner

	block *mixedBlock    // of the lines since the last Flush, or nil
	at    map[string]int // the parts of the block, by the ids of their sessions
	noID  int            // the part of the lines without an id, or -1
}

// familyWorker reads the events of one family.
type familyWorker struct {
	*worker
	signatures *signatureReader // nil if not used by the family
}

// Line reads one event.
func (w *manyWorker) Line(l source.Line, doc *strictjson.Document) {
	if w.block == nil {
		w.block, w.noID = &mixedBlock{}, -1
		clear(w.at)
	}
	i := w.part(doc.Root())
	w.block.order = append(w.block.order, i)
	w.read(l, doc, &w.block.parts[i])
}

// Unreadable ignores a line without a session, which is a fault of the whole log.
func (w *manyWorker) Unreadable(stream.Lost) {}

// Flush hands the block's lines over to be put in order.
func (w *manyWorker) Flush() func() error {
	full := w.block
	if full == nil {
		return nil
	}
	w.block = nil
	return func() error { return w.all.putInOrder(full) }
}

// KeyOfSession returns the [One.Key] of the session that a record belongs to.
func KeyOfSession(record strictjson.Node) (key [sha256.Size]byte) {
	if node := record.Get(sessionID.String()); node.Is(strictjson.String) {
		return sha256.Sum256(node.TextBytes(nil))
	}
	return key
}

// part returns the place of the part that a record belongs to.
func (w *manyWorker) part(record strictjson.Node) int {
	node := record.Get(sessionID.String())
	if !node.Is(strictjson.String) {
		if w.noID < 0 {
			w.noID = w.begin(portion{}, record)
		}
		return w.noID
	}
	var scratch [64]byte
	id := node.TextBytes(scratch[:0])
	if i, known := w.at[string(id)]; known {
		return i
	}
	i := w.begin(portion{key: sha256.Sum256(id), id: shownID(id), named: true}, record)
	w.at[string(id)] = i
	return i
}

// begin begins a part with its first record.
func (w *manyWorker) begin(p portion, record strictjson.Node) int {
	w.all.mu.RLock()
	one := w.all.byKey[p.key]
	w.all.mu.RUnlock()
	if one != nil {
		p.facts = one.facts
	} else if known, ok := w.all.first[p.key]; ok {
		p.facts = known
	} else {
		p.facts = facts{w.all.family(record), slices.Clone(KeyOf(record))}
	}
	p.batch = w.fresh()
	w.block.parts = append(w.block.parts, p)
	return len(w.block.parts) - 1
}

// longestID is the maximum length of a session id that is kept and shown.
const longestID = 200

// shownID returns a session's id as reports show it: a long one by its beginning.
func shownID(id []byte) string {
	if len(id) <= longestID {
		return string(id)
	}
	return string(bytes.ToValidUTF8(id[:longestID], nil)) + "…"
}

// fresh returns an empty batch. A fault of a line drops nothing that is found in others.
func (w *manyWorker) fresh() *batch {
	b := anyBatch()
	if most := w.all.limits.Findings; b.findings == nil || b.findings.Most() != most || !b.findings.Lasting() {
		b.findings = stream.NewLasting(most)
	}
	return b
}

// read reads an event of a part.
func (w *manyWorker) read(l source.Line, doc *strictjson.Document, p *portion) {
	if p.facts.family == "" {
		p.batch.events = append(p.batch.events, event{line: l})
		return
	}
	f := w.family(p.facts.family)
	if f.signatures != nil {
		f.signatures.Key = p.facts.key
	}
	f.batch = p.batch
	f.Line(l, doc)
	f.settle()
	f.batch = nil
}

// family returns the reader of a family's events.
func (w *manyWorker) family(name string) *familyWorker {
	if f := w.families[name]; f != nil {
		return f
	}
	c := &Checker{opt: w.all.opt, env: envelopeOf(name), keys: w.all.opt.Keys, limits: w.all.limits}
	f := &familyWorker{worker: c.worker()}
	f.shape.notes.made = nil
	for _, r := range f.readers {
		switch r := r.(type) {
		case *signatureReader:
			f.signatures = r
		case *payloadReader:
			r.notes.made = nil
		}
	}
	w.families[name] = f
	return f
}

// scan reads a line that was read before.
func (w *manyWorker) scan(l source.Line) (*strictjson.Document, error) {
	if w.scanner == nil {
		w.scanner = w.all.limits.Scanner()
	}
	return w.scanner.Scan(l.Bytes)
}
