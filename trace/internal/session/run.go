package session

import (
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/source"
)

// run is a range of regular events (see follower), the form in which a summary holds most of a log. The events have
// the session, authority and version of the previous event, and consecutive numbers and links.
type run struct {
	n      int
	first  uint64        // number of the first event, when they have numbers
	lines  []source.Line // available lines, or nil
	line   int           // else the first event's; others are adjacent
	apart  []where       // unless listed here, with their ends
	hashes []digest.Sum  // those that are known: of the last events, or of all
	prev   link          // hash of the event before; null in a log without hashes
	ids    []uint64      // id keys, or nil
	digits []byte        // of the hashes; nil: they are not spelled yet
	calls  []runCall     // those of tools that have an id, in order
	runFacts

	read         func(i int, e *event) error // reads the line of event i again
	optionalTime struct {                    // the last event that was asked for
		i     int
		event *event
		told  *extraData
	}

	// Results of parts for later parts, as in partResults.
	rank     int64 // of the first event
	numbered bool
	still    bool // all events have the same number, that of the event before
	foreign  bool
	gap      string // root of the numbers that are missing before the first events
	gapEnd   int    // the first event before which none are missing
}

type runFacts struct {
	seen        uint32 // types, as bits
	profiles    uint8
	unproven    unproven
	signed      [sigStates - 1]int64 // as signatures counts them
	wall, ticks shown                // the last readings
}

func (f *runFacts) add(e *event) {
	f.seen |= 1 << e.kind
	f.profiles |= e.profiles
	f.unproven |= e.unproven
	if e.signed != sigAbsent {
		f.signed[e.signed-1]++
	}
	now := e.readings()
	if now[0].is {
		f.wall = now[0]
	}
	if now[1].is {
		f.ticks = now[1]
	}
}

// shown is the last time of a clock, if it has one.
type shown struct {
	clockTime
	is bool
}

// runCall is a tool call or result in a run.
type runCall struct {
	event  int
	result bool
	id     toolID
}

func (r *run) number(i int) uint64 {
	if r.still {
		return r.first
	}
	return r.first + uint64(i)
}

func (r *run) lineAt(i int) int {
	switch {
	case r.lines != nil:
		return r.lines[i].Number
	case r.apart != nil:
		return r.apart[i].line
	}
	return r.line + i
}

// hash returns the hash of event i, or unknown if not kept. Unless asks is set, parts need only the last hashes of
// a run.
func (r *run) hash(i int) link {
	if r.prev.null {
		return r.prev
	}
	if i -= r.n - len(r.hashes); i < 0 {
		return unknown
	}
	return link{Sum: r.hashes[i], proper: true}
}

// unknown stands for a hash that was not kept.
var unknown link

func (r *run) before(i int) link {
	if i == 0 {
		return r.prev
	}
	return r.hash(i - 1)
}

func (r *run) position(i int) position {
	p := position{Numbered: r.numbered, Hash: r.hash(i), Prev: r.before(i), Line: r.lineAt(i), Rank: r.rank + int64(i)}
	if r.numbered {
		p.Number = r.number(i)
	}
	return p
}

// event returns event i of the run, for a finding. It is valid until the next call.
func (r *run) event(i int) *event {
	at := r.position(i)
	if r.optionalTime.event == nil {
		r.optionalTime.event = new(event)
		r.optionalTime.told = &extraData{read: func(e *event) error { return r.read(r.optionalTime.i, e) }}
	}
	e := r.optionalTime.event
	r.optionalTime.i = i
	*e = event{
		line: source.Line{Number: at.Line}, numbered: at.Numbered, number: at.Number, hash: at.Hash, prev: at.Prev,
		told: r.optionalTime.told, partResults: partResults{rank: at.Rank, foreign: r.foreign},
	}
	if r.ids != nil {
		e.id = r.ids[i]
	}
	if i < r.gapEnd {
		e.gap = r.gap
	}
	return e
}

// These parts have nothing to check in a run: its events are not the first of the log and equal the previous event
// in session, authority and version.

func (*startRule) takeRun(*run)    {}
func (*authority) takeRun(*run)    {}
func (*versionLog) takeRun(*run)   {}
func (p *identity) takeRun(r *run) { r.foreign = p.Foreign }
func (p *course) takeRun(r *run)   { p.Seen |= r.seen }
func (p *scope) takeRun(r *run)    { p.Unproven |= r.unproven }

func (p *profileLog) takeRun(r *run) { p.Profile |= r.profiles }

func (p *chain) takeRun(r *run) {
	if !p.env.chained {
		if !r.numbered { // each counts as the event before
			r.first, r.numbered, r.still = p.last.Number, p.last.Numbered, true
		}
	} else if r.gap = p.track.Hole.cause(); r.gap == "" {
		p.track.takeRun(r)
	} else {
		r.gapEnd = p.track.takeRun(r)
	}
	p.last = r.position(r.n - 1)
}

// takeRun calls straight for each event of a run. It returns the index of the event that filled the last gap, or
// the length of the run.
func (t *tracker) takeRun(r *run) (filled int) {
	filled = r.n
	for i := 0; i < r.n && t.Astray; {
		at, n := r.position(i), uint64(r.n-i)
		switch {
		case t.Hole.holds(at):
			n = 1 + min(n-1, t.Hole.To-at.Number)
			if left := t.Hole.Left; left > 0 && n >= left {
				n, filled = left, i+int(left)-1
			}
			t.fill(r.position(i+int(n)-1), n)
		case r.foreign || at.Numbered && at.Number <= t.Tip.Number:
			if !r.foreign {
				n = 1 + min(n-1, t.Tip.Number-at.Number)
			}
			if t.Hole.Open && at.Numbered && at.Number < t.Hole.From {
				n = min(n, t.Hole.From-at.Number)
			}
			t.extend(r.lineAt(i+int(n)-1), int(n))
		default:
			t.overtake(at)
		}
		i += int(n)
	}
	if !t.Astray {
		t.Tip = r.position(r.n - 1)
	}
	t.Shaky = false
	first := max(0, r.n-maxRecent)
	if !r.prev.null {
		first = max(first, r.n-len(r.hashes))
	}
	if first > 0 {
		t.skip(first)
	}
	for i := first; i < r.n; i++ {
		t.remember(r.hash(i))
	}
	return filled
}

func (p *seal) takeRun(r *run) {
	if p.idle {
		return
	}
	if r.digits == nil {
		p.digits = p.digits[:0]
		for i := range r.hashes {
			p.digits = r.hashes[i].AppendHex(p.digits)
		}
		r.digits = p.digits
	}
	p.digest.Write(r.digits)
}

func (p *merkle) takeRun(r *run) {
	if p.idle {
		return
	}
	for _, hash := range r.hashes {
		p.Leaves.AddHash(hash)
	}
}

func (p *eventIDs) takeRun(r *run) {
	for i, id := range r.ids {
		if p.met(id) {
			p.again(r.event(i))
		}
	}
}

func (p *clocks) takeRun(r *run) {
	if r.wall.is {
		p.Wall.Last, p.Wall.Shown = r.wall.clockTime, true
	}
	if r.ticks.is {
		p.Ticks.Last, p.Ticks.Shown = r.ticks.clockTime, true
	}
}

func (p *signatures) takeRun(r *run) {
	for state, n := range r.signed {
		p.Signed[state] += n
	}
}

func (p *tools) takeRun(r *run) {
	for _, c := range r.calls {
		p.match(c.id, c.result, func() *event {
			e := r.event(c.event)
			e.tool.id = c.id
			return e
		})
	}
}

// takeRun is never called: a log that is compared with an anchor is not summarized.
func (p *anchors) takeRun(*run) { panic("session.anchors: a run of a log that has an anchor") }
