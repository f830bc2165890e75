package session

import "github.com/cupel-dev/cupel/trace/internal/stream"

// tracker follows the chain through damage, separates root causes from consequences and names the damage. After a
// fault, the chain continues from the event that was read last, so that later events are not all wrong. Tip is the
// last event known to belong to the log. Astray means that the lines since then do not continue it (a repeated or
// moved block, another session), until a line links to Tip again.
type tracker struct {
	damages
	Cause  string // the root of the open damage, "rule@line", or ""
	Shaky  bool   // the event before is itself at fault: a break after it is its doing
	Tip    position
	Astray bool
	Fork   position // the event that the first astray one replaces; line 0: none
	Hole   numberGap
	recent
}

// take processes an event. o compares it with the last one. It returns the cause of the event's faults, or "" if
// the event is a root cause. A root cause belongs to the open damage.
func (t *tracker) take(e *event, o order, last position) (cause string) {
	cause = e.cause
	if e.broken == eventHashFails {
		t.Cause = causeOf(ruleHashEvent, e)
		cause = t.Cause
	}
	if e.broken != hashesHold {
		t.add(stream.DamageEdited, at(e), 1)
	}
	newcomer := e.cause != "" // the first of a run of events of another session
	if o.whole() {
		if newcomer {
			t.add(stream.DamageEdited, at(e), 1)
		}
		t.straight(e)
	} else {
		cause = t.explain(e, o, last, cause)
	}
	t.Shaky = e.broken == eventHashFails || newcomer || o.first && !o.whole()
	t.remember(e.hash)
	return cause
}

func (t *tracker) follow(at position) { t.Tip, t.Astray = at, false }

// stray records that the event does not continue the log. fork is the event it links to, if known.
func (t *tracker) stray(fork position) { t.Astray, t.Fork = true, fork }

// straight processes an event that continues the previous one.
func (t *tracker) straight(e *event) {
	at := positionOf(e)
	switch {
	case !t.Astray:
		t.Tip = at
	case t.Hole.holds(at):
		t.fill(at, 1)
	case e.foreign || e.numbered && e.number <= t.Tip.Number:
		t.extend(at.Line, 1)
	default:
		t.overtake(at)
	}
}

// overtake makes an event the tip if its number is beyond the tip: then the astray lines are the log.
func (t *tracker) overtake(at position) {
	if t.Fork.Line > 0 {
		t.replaceLast(stream.Damage{Kind: stream.DamageInserted, From: int64(t.Fork.Line), To: int64(t.Fork.Line), Count: 1})
	}
	t.follow(at)
}

// fill records n consecutive events whose numbers were missing, the last one at position last. When all gaps are
// filled, nothing was removed: the lines are out of order.
func (t *tracker) fill(last position, n uint64) {
	h := &t.Hole
	if h.Left == 0 {
		return
	}
	h.Left -= n
	if h.Damage < 0 {
		return
	}
	d := &t.Damage[h.Damage]
	if d.Count = int64(h.Left); h.Left == 0 {
		*d = stream.Damage{Kind: stream.DamageSwapped, From: int64(h.Line), To: int64(last.Line), Count: last.Rank - h.Rank + 1}
	}
}

// explain finds the cause of a wrong number or link and updates the tracker. It returns "" if the event itself is
// the cause.
func (t *tracker) explain(e *event, o order, last position, cause string) string {
	switch {
	case cause != "" && cause == t.Cause && e.foreign:
		t.add(stream.DamageInserted, at(e), 1)
		t.stray(position{})
		return cause
	case e.broken == eventHashFails:
		t.follow(positionOf(e))
		return t.Cause
	case t.Hole.holds(positionOf(e)):
		t.Cause = t.Hole.Root
		t.fill(positionOf(e), 1)
		t.stray(position{})
		return t.Cause
	case t.Shaky, t.returns(e, o):
		t.follow(positionOf(e))
		return t.Cause
	}
	t.root(e, o, last)
	return ""
}

func (t *tracker) returns(e *event, o order) bool {
	return t.Tip.Line > 0 && !e.prev.null && e.prev == t.Tip.Hash && !o.first && !o.linked
}

// root makes the event's fault the cause of later faults.
func (t *tracker) root(e *event, o order, last position) {
	switch {
	case o.number == aboveSequence:
		t.Cause = causeOf(ruleSequenceGap, e)
		if !o.linked {
			t.skipped(e, o.expected, last)
		}
		t.follow(positionOf(e))
	case o.number == belowSequence:
		t.Cause = causeOf(ruleSequenceRepeat, e)
		t.misplaced(e, o)
	case o.first:
		t.Cause = causeOf(ruleChainGenesis, e)
		t.add(stream.DamageEdited, at(e), 1)
		t.Tip = positionOf(e)
	default:
		t.Cause = causeOf(ruleChainBroken, e)
		t.relinked(e, last)
	}
}

// misplaced records an event whose number came before.
func (t *tracker) misplaced(e *event, o order) {
	fork := position{}
	switch {
	case t.repeats(e.hash):
		t.add(stream.DamageRepeated, at(e), 1)
	case t.Tip.Line > 0 && e.number == t.Tip.Number && e.prev == t.Tip.Prev:
		fork = t.Tip
		t.add(stream.DamageInserted, at(e), 1)
	case !o.linked:
		t.add(stream.DamageInserted, at(e), 1)
	}
	t.stray(fork)
}

// skipped records the events that are missing before a gap.
func (t *tracker) skipped(e *event, expected uint64, from position) {
	if t.Astray && t.Tip.Numbered && t.Tip.Number >= from.Number {
		from, expected = t.Tip, t.Tip.Number+1
	}
	if e.number < expected {
		return
	}
	missing := e.number - expected
	index := t.add(stream.DamageRemoved, stretch{from, positionOf(e)}, missing)
	t.Hole = numberGap{From: expected, To: e.number - 1, Left: missing, Line: e.line.Number, Rank: e.rank, Damage: index, Open: missing > 0, Root: t.Cause}
}

// relinked handles a broken link between events with consecutive numbers or without numbers.
func (t *tracker) relinked(e *event, last position) {
	switch {
	case e.numbered:
		t.add(stream.DamageEdited, stretch{last, positionOf(e)}, 1)
	case t.repeats(e.hash):
		t.add(stream.DamageRepeated, at(e), 1)
		t.stray(position{})
		return
	case t.Count > 1 && e.prev == last.Prev:
		t.add(stream.DamageInserted, stretch{last, last}, 1)
	default:
		t.add(stream.DamageRemoved, stretch{last, positionOf(e)}, 0)
	}
	t.follow(positionOf(e))
}
