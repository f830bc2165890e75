package session

import (
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Finish runs the checks that need the whole log and returns the result.
func (c *Checker) Finish() (stream.Outcome, error) {
	c.atEnd()
	return c.concluded(), nil
}

// concluded returns the outcome after atEnd. It can be called repeatedly.
func (c *Checker) concluded() stream.Outcome {
	o := c.outcome()
	o.Damage, o.Short = c.anchors.withCut(o.Damage), c.anchors.cut
	if c.out.broken == 0 && !c.rejected() {
		o.EvidenceClass = c.claim().class()
	}
	return o
}

// Partial returns the outcome of a log that was not read to its end. It has no evidence class, and integrity is
// only judged if it is already lost.
func (c *Checker) Partial() stream.Outcome {
	c.opt.Complete = nil // the log's end was not seen
	o := c.outcome()
	if o.Integrity == stream.IntegrityValid {
		o.Integrity = ""
	}
	return o
}

// atEnd runs the rules that need the end of the log. It does not change the parts, because a growing log continues.
func (c *Checker) atEnd() {
	c.chain.finish()
	if !c.opt.open() || c.opt.Unended {
		c.anchors.finish(c.events, c.chain.last)
	}
	if c.opt.open() {
		return
	}
	c.course.finish(c.signatures.demanded() && c.seal.MAC != sigValid)
	c.seal.finish()
	if !c.env.chained {
		c.signatures.finishBare()
	}
	c.tools.finish()
}

func (c *Checker) outcome() stream.Outcome {
	o := stream.Outcome{
		Integrity: c.integrity(), Events: c.events, Misfits: c.misfits, Damage: c.chain.damage(), Head: c.chain.last.Hash.head(),
		Signatures:   &stream.Signatures{Ed25519: c.signatures.worst(), Merkle: c.merkle.Merkle.public(), HMAC: c.seal.MAC.public()},
		SignatureKey: c.signatures.key(), Session: c.identity.id(), Before: c.before,
		NotCovered: c.notCovered(),
		Sealed:     c.seal.Seal.Last && c.seal.Seal.Complete,
		Finished:   c.ended(),
	}
	if c.opt.Sources != nil {
		o.Cited = c.cited.outcome()
	}
	if !c.rejected() {
		o.Canonicalization = c.profiles.names()
	}
	return o
}

func (c *Checker) integrity() stream.Integrity {
	switch {
	case c.rejected():
		return stream.IntegrityRejected
	case c.out.broken > 0:
		return stream.IntegrityInvalid
	case !c.env.chained:
		return stream.IntegrityAbsent
	}
	return stream.IntegrityValid
}

// claim collects the facts that decide the evidence class.
func (c *Checker) claim() claim {
	return claim{
		chained: c.env.chained, whole: c.env.whole, authority: c.authority.name(), seal: c.seal.Seal,
		ended: c.course.saw(sessionEnd), dropped: c.course.saw(logDrop), reset: c.course.saw(chainBroken),
	}
}

func (c *Checker) notCovered() []string {
	tail := c.anchors.notCovered(c.events)
	if a := c.opt.After; a != nil {
		tail = append(tail, fmt.Sprintf("the %s before the log's first: only the anchor given with --after covers them", say.Counted(a.Events, "event")))
	}
	if !c.env.chained {
		tail = []string{"order, completeness and content: the log carries no hashes"}
	}
	var payloads []string
	if c.env.tables && !c.opt.IntegrityOnly {
		payloads = c.scope.ofPayloads(c.course.saw)
	}
	return slices.Concat(tail, c.env.notCovered(), c.opt.notCovered(c.env.tables || c.env.tables10), c.scope.ofEvents(), payloads, c.cited.notCovered(), c.eventIDs.notCovered(), c.tools.notCovered(), c.lapse.notCovered(), c.out.notCovered(), c.signatures.notCovered(), c.seal.notCovered())
}
