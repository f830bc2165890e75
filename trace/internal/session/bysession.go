package session

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"slices"
	"sync"

	"github.com/cupel-dev/cupel/internal/segments"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Sessions verifies a log of interleaved sessions, each with a separate checker. A line belongs to the session
// named by its session_id. Lines without one form an unnamed session. The first line of a session decides how its
// lines are read. A worker that has not seen that line guesses, and lines are reread if the guess was wrong.
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

	cited      citedCounts
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

// One is one session of the log.
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

// taker processes the events of a session in file order.
type taker interface {
	begin(b *batch) // before the events of a block
	next(e *event)
}

// NewOne returns a session whose lines were read elsewhere. checker is nil for families other than session logs.
func NewOne(id string, named bool, line int, family string, findings *stream.Findings, checker *Checker) *One {
	return &One{ID: id, Named: named, Line: line, Family: family, Findings: findings, checker: checker}
}

// sessionKey is a digest of a session id. The zero key belongs to lines without an id.
type sessionKey [sha256.Size]byte

// facts are properties of a log's first record that affect reading the others.
type facts struct {
	family string
	key    ed25519.PublicKey
	before *segments.Before // not about reading
}

// equal reports whether f and g lead to the same reading of a line.
func (f facts) equal(g facts) bool { return f.family == g.family && bytes.Equal(f.key, g.key) }

// NewSessions returns a checker for a log of many sessions. family returns the family of a record, or "". opt must
// have passed Options.Check and must not refer to a single session.
func NewSessions(limits stream.Limits, opt Options, family func(strictjson.Node) string) *Sessions {
	if opt.Keys == (siphash.Key{}) {
		opt.Keys = siphash.NewKey()
	}
	s := &Sessions{opt: opt, limits: limits, family: family, room: stream.NewRoom(limits.Findings), byKey: map[sessionKey]*One{}}
	s.again, s.begin, s.what, s.strange = s.worker(), s.check, "sessions open at a time", s.keepStrange
	return s
}

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

// pin sets the expected end of one session.
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

// Key returns the digest of the session id, or zero for lines without one.
func (one *One) Key() [sha256.Size]byte { return one.key }

// keepStrange evicts a session of an unknown family.
func (s *Sessions) keepStrange(one *One) error {
	if err := s.begin(one); err != nil {
		return err
	}
	if err := one.putAway(); err != nil {
		return err
	}
	return s.keep(one)
}

func (s *Sessions) List() []*One { return s.list }

func (s *Sessions) Worker() stream.Worker { return s.worker() }

func (s *Sessions) worker() *manyWorker {
	return &manyWorker{all: s, families: map[string]*familyWorker{}, at: map[string]int{}}
}

// Finish returns the totals of all sessions. Call [One.Outcome] for each session's result.
func (s *Sessions) Finish() (o stream.Outcome, err error) {
	o.Events, o.Misfits = s.events, s.misfits
	return o, nil
}

// End runs the final checks of a session, once.
func (one *One) End() { one.checker.atEnd() }

// Outcome returns the session's outcome. Call it after End, or with interrupted set if the log was not read to its
// end.
func (one *One) Outcome(interrupted bool) stream.Outcome {
	o := one.checker.concluded
	if interrupted {
		o = one.checker.Partial
	}
	outcome := o()
	outcome.Before = one.facts.before
	return outcome
}

// mixedBlock holds the lines of one block, by session.
type mixedBlock struct {
	parts []portion // by their first lines
	order []int     // the part of each line
}

// portion holds the lines of one session in a block.
type portion struct {
	key   sessionKey
	id    string // "" once the session is known
	named bool
	facts facts // under which the lines were read
	batch *batch
	next  int // event to be put in order
}

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

// takes reports whether the events of a session are processed.
func (s *Sessions) takes(one *One) bool { return one.Family != "" || s.strange == nil }

// take processes the next event of a session in a block.
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

// session returns the session of a portion, creating it if necessary. It rereads the portion if the worker guessed
// the session's facts wrong.
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

// add creates the session that starts with a portion.
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

// reread reads the lines of a portion again under the facts f.
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

// manyWorker reads single events of many sessions. It is not safe for concurrent use.
type manyWorker struct {
	all      *Sessions
	families map[string]*familyWorker
	scanner  *strictjson.Scanner

	block *mixedBlock    // of the lines since the last Flush, or nil
	at    map[string]int // the parts of the block, by the ids of their sessions
	noID  int            // the part of the lines without an id, or -1
}

type familyWorker struct {
	*worker
	signatures *signatureReader // nil if not used by the family
}

// NotCovered returns the limitations of all sessions together.
func (s *Sessions) NotCovered() []string { return s.cited.notCovered() }

func (w *manyWorker) Line(l source.Line, doc *strictjson.Document) {
	if w.block == nil {
		w.block, w.noID = &mixedBlock{}, -1
		clear(w.at)
	}
	i := w.part(doc.Root())
	w.block.order = append(w.block.order, i)
	w.read(l, doc, &w.block.parts[i])
}

// Unreadable does nothing: a line without a session is a fault of the log, not of a session.
func (w *manyWorker) Unreadable(stream.Lost) {}

// Flush returns a function that processes the block in file order.
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

// begin creates a portion from its first record.
func (w *manyWorker) begin(p portion, record strictjson.Node) int {
	w.all.mu.RLock()
	one := w.all.byKey[p.key]
	w.all.mu.RUnlock()
	if one != nil {
		p.facts = one.facts
	} else if known, ok := w.all.first[p.key]; ok {
		p.facts = known
	} else {
		p.facts = facts{w.all.family(record), slices.Clone(KeyOf(record)), beforeOf(record)}
	}
	p.batch = w.fresh()
	w.block.parts = append(w.block.parts, p)
	return len(w.block.parts) - 1
}

// longestID limits the length of session ids in memory and reports.
const longestID = 200

// shownID returns a session id for reports, truncated if too long.
func shownID(id []byte) string {
	if len(id) <= longestID {
		return string(id)
	}
	return string(bytes.ToValidUTF8(id[:longestID], nil)) + "…"
}

// fresh returns an empty batch without a limit on findings.
func (w *manyWorker) fresh() *batch {
	b := anyBatch()
	if most := w.all.limits.Findings; b.findings == nil || b.findings.Most() != most || !b.findings.Lasting() {
		b.findings = stream.NewLasting(most)
	}
	return b
}

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

func (w *manyWorker) family(name string) *familyWorker {
	if f := w.families[name]; f != nil {
		return f
	}
	c := &Checker{opt: w.all.opt, env: envelopeOf(name), keys: w.all.opt.Keys, limits: w.all.limits, cited: &w.all.cited}
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

// scan parses a line that was parsed before.
func (w *manyWorker) scan(l source.Line) (*strictjson.Document, error) {
	if w.scanner == nil {
		w.scanner = w.all.limits.Scanner()
	}
	return w.scanner.Scan(l.Bytes)
}
