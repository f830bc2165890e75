package session

import (
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/trace/stream"
)

// position is an event's place in the chain.
type position struct {
	Number   uint64
	Numbered bool
	Hash     link
	Prev     link
	Line     int // 0: none yet
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
	Damage []stream.Damage
	Cause  string // the root of the open damage, "rule@line"; "" when there is none
	Shaky  bool   // the event before is itself at fault: a break after it is its doing
	Tip    position
	Astray bool
	Fork   position // the event that the first astray one stands beside; line 0: none
	Hole   hole
	Count  int
	Recent []link // hashes of the last events, to recognise repetitions; a ring
}

// hole is a run of numbers that was skipped.
type hole struct {
	From, To uint64
	Left     uint64
	Line     int // of the event that skipped it
	Damage   int // its index in tracker.Damage, -1 for none
	Open     bool
	Root     string
}

func (h *hole) holds(e *event) bool {
	return h.Open && e.numbered && e.number >= h.From && e.number <= h.To
}

// maxDamage bounds the list of damages; later ones are findings only.
const maxDamage = 1000

// blame makes a finding the root of what follows.
func (t *tracker) blame(code string, line int) { t.Cause = fmt.Sprintf("%s@%d", code, line) }

// add notes a damage and returns its index, -1 when the list is full.
func (t *tracker) add(kind string, from, to int, count uint64) int {
	if n := len(t.Damage); n > 0 && kind == "edited" && t.Damage[n-1].Kind == kind && int64(from) == t.Damage[n-1].To+1 {
		t.Damage[n-1].To = int64(to)
		t.Damage[n-1].Count += int64(count)
		return n - 1
	}
	if len(t.Damage) >= maxDamage {
		return -1
	}
	t.Damage = append(t.Damage, stream.Damage{Kind: kind, From: int64(from), To: int64(to), Count: int64(count)})
	return len(t.Damage) - 1
}

// lose takes a line that is no event: whatever follows does not link to it.
func (c *Checker) lose(e *event) {
	if e.misfit {
		c.Misfits++
	}
	kind := "edited"
	if e.cut {
		kind = "cut"
	}
	c.Chain.add(kind, e.line.Number, e.line.Number, 1)
	c.Chain.blame(e.own, e.line.Number)
	c.Chain.Shaky = true
}

// seqFault compares an event's number with the expected one.
func (c *Checker) seqFault(e *event) (code string, expected uint64) {
	if !e.numbered {
		return "", 0
	}
	expected = e.first
	if c.Last.Numbered {
		expected = c.Last.Number + 1
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
		e.number, e.numbered = c.Last.Number, c.Last.Numbered
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
	if c.Last.Line > 0 {
		return !e.prev.null && e.prev == c.Last.Hash
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
	t := &c.Chain
	code, expected := c.seqFault(e)
	linked, foreign := c.linked(e), cause != ""
	if e.own == codeHashEvent {
		t.blame(e.own, e.line.Number)
		cause = t.Cause
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
	t.Shaky = e.own == codeHashEvent || foreign || c.Last.Line == 0 && fault
	t.remember(e.hash)
	if fault {
		return t.Cause
	}
	return cause
}

func (c *Checker) place(e *event) position {
	return position{Number: e.number, Numbered: e.numbered, Hash: e.hash, Prev: e.prev, Line: e.line.Number}
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
		cause = c.Chain.Cause
	}
	if c.Last.Line == 0 {
		genesis := c.env.genesis
		if genesis == "" {
			genesis = "null"
		}
		c.fault(e, codeChainGenesis, c.env.link, cause, fmt.Sprintf("the first event's %s is not the genesis value", c.env.link), genesis, e.prev.String())
		return
	}
	c.fault(e, codeChainBroken, c.env.link, cause, fmt.Sprintf("%s is not the hash of the event before, on line %d", c.env.link, c.Last.Line), c.Last.Hash.String(), e.prev.String())
}

// straight takes an event that continues the one before it.
func (c *Checker) straight(e *event) {
	t := &c.Chain
	switch {
	case !t.Astray:
		t.Tip = c.place(e)
	case t.Hole.holds(e):
		t.fill(e)
	case c.Foreign || e.numbered && e.number <= t.Tip.Number:
		t.extend(e)
	default: // the astray line has overtaken: it is the log's own
		if n := len(t.Damage); t.Fork.Line > 0 && n > 0 {
			t.Damage[n-1] = stream.Damage{Kind: "inserted", From: int64(t.Fork.Line), To: int64(t.Fork.Line), Count: 1}
		}
		t.Astray, t.Tip = false, c.place(e)
	}
}

// fill takes an event whose number was missed before. When none is missed any more,
// nothing was removed: the lines stand in another order.
func (t *tracker) fill(e *event) {
	h := &t.Hole
	if h.Left == 0 {
		return
	}
	h.Left--
	if h.Damage < 0 {
		return
	}
	d := &t.Damage[h.Damage]
	if d.Count = int64(h.Left); h.Left == 0 {
		*d = stream.Damage{Kind: "swapped", From: int64(h.Line), To: int64(e.line.Number), Count: int64(e.line.Number - h.Line + 1)}
	}
}

// extend lets the last damage, a repetition or an insertion, reach to the event.
func (t *tracker) extend(e *event) {
	if n := len(t.Damage); n > 0 && (t.Damage[n-1].Kind == "repeated" || t.Damage[n-1].Kind == "inserted") {
		t.Damage[n-1].To = int64(e.line.Number)
		t.Damage[n-1].Count++
	}
}

// explain finds the cause of an event's number or link being wrong: something known,
// or, with the result "", the event itself. It keeps the tracker's account.
func (c *Checker) explain(e *event, code string, expected uint64, linked bool, cause string) string {
	t := &c.Chain
	first := c.Last.Line == 0
	switch {
	case cause != "" && cause == t.Cause && c.Foreign:
		t.add("inserted", e.line.Number, e.line.Number, 1)
		t.Astray, t.Fork = true, position{}
		return cause
	case e.own == codeHashEvent:
		t.Tip, t.Astray = c.place(e), false
		return t.Cause
	case t.Hole.holds(e):
		t.Cause = t.Hole.Root
		t.fill(e)
		t.Astray, t.Fork = true, position{}
		return t.Cause
	case t.Shaky, t.Tip.Line > 0 && !e.prev.null && e.prev == t.Tip.Hash && !first && !linked:
		t.Tip, t.Astray = c.place(e), false
		return t.Cause
	}
	c.root(e, code, expected, linked)
	return ""
}

// root makes the event's own fault the cause of what follows.
func (c *Checker) root(e *event, code string, expected uint64, linked bool) {
	t := &c.Chain
	line := e.line.Number
	switch {
	case code == codeSequenceGap:
		t.blame(code, line)
		if !linked {
			c.skipped(e, expected)
		}
		t.Tip, t.Astray = c.place(e), false
	case code == codeSequenceRepeat:
		t.blame(code, line)
		t.Fork = position{}
		switch {
		case t.repeats(e):
			t.add("repeated", line, line, 1)
		case t.Tip.Line > 0 && e.number == t.Tip.Number && e.prev == t.Tip.Prev:
			t.Fork = t.Tip
			t.add("inserted", line, line, 1)
		case !linked:
			t.add("inserted", line, line, 1)
		}
		t.Astray = true
	case c.Last.Line == 0:
		t.blame(codeChainGenesis, line)
		t.add("edited", line, line, 1)
		t.Tip = c.place(e)
	default:
		t.blame(codeChainBroken, line)
		c.relinked(e)
	}
}

// skipped notes the events that a gap says are missing.
func (c *Checker) skipped(e *event, expected uint64) {
	t := &c.Chain
	from := c.Last
	if t.Astray && t.Tip.Numbered && t.Tip.Number >= from.Number {
		from, expected = t.Tip, t.Tip.Number+1
	}
	if e.number < expected {
		return
	}
	missing := e.number - expected
	index := t.add("removed", from.Line, e.line.Number, missing)
	t.Hole = hole{From: expected, To: e.number - 1, Left: missing, Line: e.line.Number, Damage: index, Open: missing > 0, Root: t.Cause}
}

// relinked notes a break between two events whose numbers fit, or that have none.
func (c *Checker) relinked(e *event) {
	t := &c.Chain
	line := e.line.Number
	switch {
	case e.numbered:
		t.add("edited", c.Last.Line, line, 1)
	case t.repeats(e):
		t.add("repeated", line, line, 1)
		t.Astray, t.Fork = true, position{}
		return
	case t.Count > 1 && e.prev == c.Last.Prev:
		t.add("inserted", c.Last.Line, c.Last.Line, 1)
	default:
		t.add("removed", c.Last.Line, line, 0)
	}
	t.Tip, t.Astray = c.place(e), false
}

// maxRecent is how far back a repeated event is recognised as one.
const maxRecent = 256

func (t *tracker) remember(hash link) {
	if len(t.Recent) < maxRecent {
		t.Recent = append(t.Recent, hash)
	} else {
		t.Recent[t.Count%maxRecent] = hash
	}
	t.Count++
}

// repeats says whether the event stood among the last ones already.
func (t *tracker) repeats(e *event) bool { return slices.Contains(t.Recent, e.hash) }
