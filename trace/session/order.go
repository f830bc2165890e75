package session

import (
	"fmt"

	"github.com/cupel-dev/cupel/trace/stream"
)

// position is an event's place in the chain.
type position struct {
	number   uint64
	numbered bool
	hash     link
	prev     link
	line     int // 0: none yet
}

// tracker follows the chain through damage. It tells one root cause from what follows
// from it, and names what was done.
//
// The chain goes on from the event read last, whatever that was: one fault must not
// make all later events wrong. Beside that, tip is the furthest event that is known
// to belong to the log; astray says that the lines since then are not its
// continuation (a repeated or moved block, another session), until a line links to
// tip again.
type tracker struct {
	damage []stream.Damage
	cause  string // the root of the open damage, "rule@line"; "" when there is none
	shaky  bool   // the event before is itself at fault: a break after it is its doing
	tip    position
	astray bool
	fork   position // the event that the first astray one stands beside; line 0: none
	hole   hole
	recent [256]position // the last events, to recognise repetitions
	count  int
}

// hole is a run of numbers that was skipped.
type hole struct {
	from, to uint64
	left     uint64
	line     int // of the event that skipped it
	damage   int // its index in tracker.damage, -1 for none
	open     bool
	root     string
}

func (h *hole) holds(e *event) bool {
	return h.open && e.numbered && e.number >= h.from && e.number <= h.to
}

// maxDamage bounds the list of damages; later ones are findings only.
const maxDamage = 1000

// blame makes a finding the root of what follows.
func (t *tracker) blame(code string, line int) { t.cause = fmt.Sprintf("%s@%d", code, line) }

// add notes a damage and returns its index, -1 when the list is full.
func (t *tracker) add(kind string, from, to int, count uint64) int {
	if n := len(t.damage); n > 0 && kind == "edited" && t.damage[n-1].Kind == kind && int64(from) == t.damage[n-1].To+1 {
		t.damage[n-1].To = int64(to)
		t.damage[n-1].Count += int64(count)
		return n - 1
	}
	if len(t.damage) >= maxDamage {
		return -1
	}
	t.damage = append(t.damage, stream.Damage{Kind: kind, From: int64(from), To: int64(to), Count: int64(count)})
	return len(t.damage) - 1
}

// lose takes a line that is no event: whatever follows does not link to it.
func (c *Checker) lose(e *event) {
	if e.misfit {
		c.misfits++
	}
	kind := "edited"
	if e.cut {
		kind = "cut"
	}
	c.chain.add(kind, e.line.Number, e.line.Number, 1)
	c.chain.blame(e.own, e.line.Number)
	c.chain.shaky = true
}

// seqFault compares an event's number with the expected one.
func (c *Checker) seqFault(e *event) (code string, expected uint64) {
	if !e.numbered {
		return "", 0
	}
	expected = e.first
	if c.last.numbered {
		expected = c.last.number + 1
	}
	switch {
	case e.number > expected:
		return codeSequenceGap, expected
	case e.number < expected:
		return codeSequenceRepeat, expected
	}
	return "", expected
}

// number checks the numbers of a log without links.
func (c *Checker) number(e *event, cause string) {
	if code, expected := c.seqFault(e); code != "" {
		c.sequenceFault(e, code, expected, cause)
	}
	if !e.numbered {
		e.number, e.numbered = c.last.number, c.last.numbered
	}
}

func (c *Checker) sequenceFault(e *event, code string, expected uint64, cause string) {
	what := "is above"
	if code == codeSequenceRepeat {
		what = "is below"
	}
	c.fault(e, code, sequenceNumber, cause, fmt.Sprintf("number %d %s the expected %d", e.number, what, expected), fmt.Sprint(expected), fmt.Sprint(e.number))
}

// linked says whether the event names the one before it.
func (c *Checker) linked(e *event) bool {
	if c.last.line > 0 {
		return !e.prev.null && e.prev == c.last.hash
	}
	return c.genesis(e)
}

func (c *Checker) genesis(e *event) bool {
	if c.env.genesis == "" {
		return e.prev.null
	}
	return e.prev.proper && e.prev.Hex() == c.env.genesis
}

// order checks an event's number and link and explains what is wrong. cause is that of
// a fault that the line has already; the result is what the line's later faults follow
// from.
func (c *Checker) order(e *event, cause string) string {
	t := &c.chain
	code, expected := c.seqFault(e)
	linked, foreign := c.linked(e), cause != ""
	if e.own == codeHashEvent {
		t.blame(e.own, e.line.Number)
		cause = t.cause
	}
	if e.own != "" {
		t.add("edited", e.line.Number, e.line.Number, 1)
	}
	fault := code != "" || !linked
	if !fault {
		if foreign {
			t.add("edited", e.line.Number, e.line.Number, 1)
		}
		c.straight(e)
	} else {
		cause = c.explain(e, code, expected, linked, cause)
		c.reportOrder(e, code, expected, linked, cause)
	}
	t.shaky = e.own == codeHashEvent || foreign || c.last.line == 0 && fault
	t.recent[t.count%len(t.recent)] = c.place(e)
	t.count++
	if fault {
		return t.cause
	}
	return cause
}

func (c *Checker) place(e *event) position {
	return position{number: e.number, numbered: e.numbered, hash: e.hash, prev: e.prev, line: e.line.Number}
}

// reportOrder writes the findings. Of two on a line without a cause, the number is
// the root of the link.
func (c *Checker) reportOrder(e *event, code string, expected uint64, linked bool, cause string) {
	if code != "" {
		c.sequenceFault(e, code, expected, cause)
	}
	if linked {
		return
	}
	if cause == "" && code != "" {
		cause = c.chain.cause
	}
	if c.last.line == 0 {
		genesis := c.env.genesis
		if genesis == "" {
			genesis = "null"
		}
		c.fault(e, codeChainGenesis, c.env.link, cause, fmt.Sprintf("the first event's %s is not the genesis value", c.env.link), genesis, e.prev.String())
		return
	}
	c.fault(e, codeChainBroken, c.env.link, cause, fmt.Sprintf("%s is not the hash of the event before, on line %d", c.env.link, c.last.line), c.last.hash.String(), e.prev.String())
}

// straight takes an event that continues the one before it.
func (c *Checker) straight(e *event) {
	t := &c.chain
	switch {
	case !t.astray:
		t.tip = c.place(e)
	case t.hole.holds(e):
		t.fill(e)
	case c.foreign || e.numbered && e.number <= t.tip.number:
		t.extend(e)
	default: // the astray line has overtaken: it is the log's own
		if n := len(t.damage); t.fork.line > 0 && n > 0 {
			t.damage[n-1] = stream.Damage{Kind: "inserted", From: int64(t.fork.line), To: int64(t.fork.line), Count: 1}
		}
		t.astray, t.tip = false, c.place(e)
	}
}

// fill takes an event whose number was missed before. When none is missed any more,
// nothing was removed: the lines stand in another order.
func (t *tracker) fill(e *event) {
	h := &t.hole
	if h.left == 0 {
		return
	}
	h.left--
	if h.damage < 0 {
		return
	}
	d := &t.damage[h.damage]
	if d.Count = int64(h.left); h.left == 0 {
		*d = stream.Damage{Kind: "swapped", From: int64(h.line), To: int64(e.line.Number), Count: int64(e.line.Number - h.line + 1)}
	}
}

// extend lets the last damage, a repetition or an insertion, reach to the event.
func (t *tracker) extend(e *event) {
	if n := len(t.damage); n > 0 && (t.damage[n-1].Kind == "repeated" || t.damage[n-1].Kind == "inserted") {
		t.damage[n-1].To = int64(e.line.Number)
		t.damage[n-1].Count++
	}
}

// explain finds the cause of an event's number or link being wrong: something known,
// or, with the result "", the event itself. It keeps the tracker's account.
func (c *Checker) explain(e *event, code string, expected uint64, linked bool, cause string) string {
	t := &c.chain
	first := c.last.line == 0
	switch {
	case cause != "" && cause == t.cause && c.foreign:
		t.add("inserted", e.line.Number, e.line.Number, 1)
		t.astray, t.fork = true, position{}
		return cause
	case e.own == codeHashEvent:
		t.tip, t.astray = c.place(e), false
		return t.cause
	case t.hole.holds(e):
		t.cause = t.hole.root
		t.fill(e)
		t.astray, t.fork = true, position{}
		return t.cause
	case t.shaky, t.tip.line > 0 && !e.prev.null && e.prev == t.tip.hash && !first && !linked:
		t.tip, t.astray = c.place(e), false
		return t.cause
	}
	c.root(e, code, expected, linked)
	return ""
}

// root makes the event's own fault the cause of what follows.
func (c *Checker) root(e *event, code string, expected uint64, linked bool) {
	t := &c.chain
	line := e.line.Number
	switch {
	case code == codeSequenceGap:
		t.blame(code, line)
		if !linked {
			c.skipped(e, expected)
		}
		t.tip, t.astray = c.place(e), false
	case code == codeSequenceRepeat:
		t.blame(code, line)
		t.fork = position{}
		switch {
		case t.repeats(e):
			t.add("repeated", line, line, 1)
		case t.tip.line > 0 && e.number == t.tip.number && e.prev == t.tip.prev:
			t.fork = t.tip
			t.add("inserted", line, line, 1)
		case !linked:
			t.add("inserted", line, line, 1)
		}
		t.astray = true
	case c.last.line == 0:
		t.blame(codeChainGenesis, line)
		t.add("edited", line, line, 1)
		t.tip = c.place(e)
	default:
		t.blame(codeChainBroken, line)
		c.relinked(e)
	}
}

// skipped notes the events that a gap says are missing.
func (c *Checker) skipped(e *event, expected uint64) {
	t := &c.chain
	from := c.last
	if t.astray && t.tip.numbered && t.tip.number >= from.number {
		from, expected = t.tip, t.tip.number+1
	}
	if e.number < expected {
		return
	}
	missing := e.number - expected
	index := t.add("removed", from.line, e.line.Number, missing)
	t.hole = hole{from: expected, to: e.number - 1, left: missing, line: e.line.Number, damage: index, open: missing > 0, root: t.cause}
}

// relinked notes a break between two events whose numbers fit, or that have none.
func (c *Checker) relinked(e *event) {
	t := &c.chain
	line := e.line.Number
	switch {
	case e.numbered:
		t.add("edited", c.last.line, line, 1)
	case t.repeats(e):
		t.add("repeated", line, line, 1)
		t.astray, t.fork = true, position{}
		return
	case t.count > 1 && e.prev == c.last.prev:
		t.add("inserted", c.last.line, c.last.line, 1)
	default:
		t.add("removed", c.last.line, line, 0)
	}
	t.tip, t.astray = c.place(e), false
}

// repeats says whether the event stood among the last ones already.
func (t *tracker) repeats(e *event) bool {
	for i := range min(t.count, len(t.recent)) {
		if t.recent[i].hash == e.hash {
			return true
		}
	}
	return false
}
