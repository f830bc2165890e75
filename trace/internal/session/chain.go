package session

import (
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// chain checks sequence numbers and links. Its tracker tells root causes from their consequences.
type chain struct {
	last    position // of the event before
	track   tracker
	env     *envelope
	resumed bool
	out     *reporter
}

// afterLine is the line number of the archived event before the log's first one (see After).
const afterLine = -1

// follow sets the archived event that the log's first event must link to.
func (p *chain) follow(a *After) {
	sum, proper := digest.ParseHex([]byte(a.Head))
	p.last = position{
		Number: p.env.first + uint64(a.Events) - 1, Numbered: p.env.number != noMember,
		Hash: link{Sum: sum, proper: proper}, Line: afterLine,
	}
}

func (p *chain) take(e *event) {
	if e.cause != "" {
		p.track.Cause = e.cause
	}
	if p.env.chained {
		p.link(e)
	} else {
		p.count(e)
	}
	e.gap = p.track.Hole.cause()
	p.last = positionOf(e)
}

// lose processes a line that is not an event. The next event cannot link to it.
func (p *chain) lose(e *event) {
	kind := stream.DamageEdited
	if e.lost.cut {
		kind = stream.DamageCut
	}
	p.track.add(kind, at(e), 1+uint64(e.lost.glued))
	p.track.Cause = causeAt(e.lost.rule, e.line.Number)
	p.track.Shaky = true
}

// loseRest processes the last of several more lost lines. They extend the same damage.
func (p *chain) loseRest(e *event, lines int64) {
	t := &p.track
	if last := &t.Damage[len(t.Damage)-1]; last.Kind == stream.DamageEdited && !e.lost.cut {
		last.To = int64(e.line.Number)
		last.Count += lines * int64(1+e.lost.glued)
	}
	t.Reach, t.Cause = e.rank, causeAt(e.lost.rule, e.line.Number)
}

// count checks the number of an event without a link. An event without a number takes that of the previous event.
func (p *chain) count(e *event) {
	if number, expected := p.last.numberAfter(e); number != inSequence {
		p.misnumbered(e, number, expected, e.cause)
	}
	if !e.numbered {
		e.number, e.numbered = p.last.Number, p.last.Numbered
	}
}

func (p *chain) link(e *event) {
	o := order{first: p.last.Line == 0, linked: p.last.links(e, p.env.genesis)}
	o.number, o.expected = p.last.numberAfter(e)
	cause := p.track.take(e, o, p.last)
	if o.number != inSequence {
		p.misnumbered(e, o.number, o.expected, cause)
	}
	if !o.linked {
		if cause == "" && o.number != inSequence {
			cause = p.track.Cause // of two roots on one line the number is that of the link
		}
		p.unlinked(e, o, cause)
	}
	if e.cause = cause; !o.whole() {
		e.cause = p.track.Cause
	}
}

// segmentMissing is added to the message about a gap between two segments.
const segmentMissing = ", and a segment between the two may be missing"

func (p *chain) misnumbered(e *event, n numberOrder, expected uint64, cause string) {
	what := remark{rule: ruleSequenceGap, at: e.counter, cause: cause, expected: fmt.Sprint(expected), found: fmt.Sprint(e.number)}
	what.message = fmt.Sprintf("number %d is above the expected %d", e.number, expected)
	if n == aboveSequence && p.last.Line > 0 {
		if line, elsewhere := p.out.line(p.last.Line, e); elsewhere {
			what.message += ": it follows " + line + segmentMissing
		}
	}
	if n == belowSequence {
		what.rule, what.message = ruleSequenceRepeat, fmt.Sprintf("number %d is below the expected %d", e.number, expected)
	}
	p.out.fault(e, what)
}

func (p *chain) unlinked(e *event, o order, cause string) {
	what := remark{rule: ruleChainBroken, at: p.env.link, cause: cause, expected: p.last.Hash.String(), found: e.prev.String()}
	switch {
	case p.last.Line == afterLine:
		what.message = fmt.Sprintf("%s is not the head of the anchor that the log continues", p.env.link)
	case !o.first:
		line, elsewhere := p.out.line(p.last.Line, e)
		what.message = fmt.Sprintf("%s is not the hash of the event before, on %s", p.env.link, line)
		if elsewhere && !e.numbered {
			what.message += segmentMissing
		}
	default:
		what.rule, what.message = ruleChainGenesis, fmt.Sprintf("the first event's %s is not the genesis value", p.env.link)
		if what.expected = p.env.genesis; what.expected == "" {
			what.expected = "null"
		}
	}
	p.out.fault(e, what)
}

// finish warns once about a log without hashes.
func (p *chain) finish() {
	if !p.env.chained && !p.resumed {
		p.out.findings.Add(rules[ruleChainAbsent].New("the log carries no hashes: nothing protects its order, its completeness or its content"))
	}
}

func (p *chain) damage() []stream.Damage { return slices.Clone(p.track.Damage) }
