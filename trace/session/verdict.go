package session

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/trace/stream"
)

// sigState is what became of a signature.
type sigState uint8

var sigNames = [...]string{"absent", "valid", "invalid", "unchecked"}

// Finish says what only the end of the log can tell.
func (c *Checker) Finish() (stream.Outcome, error) {
	c.kept = c.memory                                  // a growing log goes on after this end
	c.kept.Chain.Damage = slices.Clone(c.Chain.Damage) // atEnd adds to it
	c.atEnd()
	o := c.outcome()
	if c.Broken == 0 && !c.rejected() {
		o.EvidenceClass = c.evidenceClass()
	}
	o.Integrity = c.integrity()
	return o, nil
}

// Partial is the outcome of a log that was not read to its end: no class, and of its
// integrity only that it is lost.
func (c *Checker) Partial() stream.Outcome {
	o := c.outcome()
	if o.Integrity = c.integrity(); o.Integrity == "valid" {
		o.Integrity = ""
	}
	return o
}

func (c *Checker) outcome() stream.Outcome {
	o := stream.Outcome{
		Events: c.Events, Misfits: c.Misfits, Damage: c.Chain.Damage, Head: c.head(),
		Signatures: &stream.Signatures{Ed25519: c.ed25519(), Merkle: sigNames[c.Merkle], HMAC: sigNames[c.MAC]},
		NotCovered: c.notCovered(),
	}
	if !c.rejected() {
		o.Canonicalization = c.canonicalization()
	}
	return o
}

func (c *Checker) rejected() bool {
	return c.findings.Rejected() || c.opt.Resume != nil && c.opt.Resume.Rejected
}

// atEnd applies the rules that need to know that nothing follows.
func (c *Checker) atEnd() {
	whole := func(s finding.Severity, code, message string) {
		c.findings.Add(finding.Finding{Rule: code, Severity: s, Message: message})
	}
	if !c.env.chained && c.opt.Resume == nil {
		whole(finding.Warning, codeChainAbsent, "the log carries no hashes: nothing protects its order, its completeness or its content")
	}
	if n := c.Signed[sigUnchecked-1]; n > 0 {
		whole(finding.Warning, codeSignatureNoCheck, fmt.Sprintf("%d events are signed, but the first event brings no Ed25519 key", n))
	}
	if c.opt.Growing {
		return
	}
	if c.env.ordered && !c.saw(sessionEnd) && !c.saw(chainSeal) {
		c.Broken++
		whole(finding.Error, codeUnfinished, "the log has neither SESSION_END nor CHAIN_SEAL")
	}
	if c.opt.HMACKey != nil && c.Seal.Line == 0 {
		c.Broken++
		c.MAC = sigInvalid
		whole(finding.Error, codeSealHMAC, "a key was given, but the log has no CHAIN_SEAL to authenticate")
	}
	c.anchored()
	if open := c.tools.size - c.tools.answered; open > 0 {
		whole(finding.Info, codeToolUnanswered, fmt.Sprintf("tool calls without a result: %d", open))
	}
}

func (c *Checker) saw(t eventType) bool { return c.Seen&(1<<t) != 0 }

func (c *Checker) integrity() string {
	switch {
	case c.rejected():
		return "rejected"
	case c.Broken > 0:
		return "invalid"
	case !c.env.chained:
		return "absent"
	}
	return "valid"
}

func (c *Checker) head() string {
	return hexOf(c.Last.Hash)
}

func (c *Checker) ed25519() string {
	for _, s := range []sigState{sigInvalid, sigUnchecked, sigValid} {
		if c.Signed[s-1] > 0 {
			return sigNames[s]
		}
	}
	return sigNames[sigAbsent]
}

func (c *Checker) canonicalization() (names []string) {
	for rest := c.Profile; rest != 0; rest &= rest - 1 {
		names = append(names, jcs.SessionProfiles[bits.TrailingZeros8(rest)].Name)
	}
	slices.Sort(names)
	return names
}

// evidenceClass is the class that an intact log claims for itself.
func (c *Checker) evidenceClass() string {
	const (
		authoritative = "AUTHORITATIVE_EVIDENCE"
		partial       = "PARTIAL_AUTHORITATIVE_EVIDENCE"
		non           = "NON_AUTHORITATIVE_EVIDENCE"
		unknown       = "UNKNOWN_EVIDENCE"
	)
	sealed := c.Seal.Last
	switch {
	case !c.env.chained:
		return ""
	case c.env.whole && c.Seal.Line == 0:
		return non
	case c.env.whole && !c.saw(logDrop) && !c.saw(chainBroken):
		return authoritative
	case c.env.whole:
		return partial
	}
	switch authority := strings.Trim(c.Authority, `"`); {
	case authority == "sdk":
		return non
	case !isServer(authority):
		return unknown
	case sealed && c.Seal.Complete && c.saw(sessionEnd) && !c.saw(logDrop):
		return authoritative
	}
	return partial
}

// notCovered lists what the verdict does not prove.
func (c *Checker) notCovered() (list []string) {
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if !c.env.chained {
		say("order, completeness and content: the log carries no hashes")
	} else if !c.opt.pinned() {
		say("the tail: events removed from the end leave no mark in the log itself, only an anchor kept elsewhere shows that")
		say("a rewrite of the whole log: its hashes have no key, whoever rewrites every event can renew them all")
	} else if a := c.opt.Anchor; a != nil && c.Events > a.Events {
		say("the end of the %d events after the anchored ones: nothing pins it yet", c.Events-a.Events)
	}
	if c.env.versions {
		say("chain_authority, schema_ver, source_sdk_ver, authority_id and timestamp_monotonic: no hash covers them, so the evidence class is the log's own claim")
	}
	if c.env.whole {
		say("payload fields: the payload schema of this envelope has no table here, only that each payload is an object")
	}
	if c.opt.Growing {
		say("the log's end: it is still being written")
	}
	if c.opt.IntegrityOnly && c.env.tables {
		say("payload rules: left out on request")
	}
	if c.tools.size >= c.limits.IDs {
		say("tool ids after the first %d: the limit of remembered ids was reached", c.limits.IDs)
	}
	if c.Signed[sigValid-1] > 0 {
		say("who signed: the Ed25519 key comes from the log itself")
		if n := c.Events - c.Signed[0] - c.Signed[1] - c.Signed[2]; n > 0 {
			say("%d events carry no signature", n)
		}
	}
	if c.MAC == sigUnchecked {
		say("the seal's HMAC: no key was given")
	}
	return list
}
