package session

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"sync"

	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/stream"
)

// The codes of what only the events together tell.
const (
	codeSequenceGap     = "sequence.gap"
	codeSequenceRepeat  = "sequence.repeat"
	codeChainGenesis    = "chain.genesis"
	codeChainBroken     = "chain.broken"
	codeChainAbsent     = "chain.absent"
	codeSessionMismatch = "session.mismatch"
	codeAuthorityMixed  = "authority.mixed"
	codeVersionAbsent   = "version.absent"
	codeVersionMixed    = "version.mixed"
	codeToolUnmatched   = "tool.id_unmatched"
	codeToolName        = "tool.name_mismatch"
	codeToolUnanswered  = "tool.unanswered"
	codeSessionStart    = "session.start"
	codeUnfinished      = "session.unfinished"
)

// Checker verifies the log of one family. It is made by New and driven by
// stream.Runner.
type Checker struct {
	opt      Options
	family   string
	env      *envelope
	limits   stream.Limits
	profiles []*jcs.Profile

	findings *stream.Findings
	batches  sync.Pool
	said     map[said]bool // notes that were made

	memory
	kept memory // before the rules of the log's end
}

const (
	sigAbsent sigState = iota
	sigValid
	sigInvalid
	sigUnchecked
)

// New returns the checker of a log of the given family. first is its first readable
// record. The options have passed Options.Check.
func New(findings *stream.Findings, limits stream.Limits, family string, first strictjson.Node, opt Options) (*Checker, error) {
	profiles, _ := profilesOf(opt.Canonicalization)
	c := &Checker{opt: opt, family: family, env: envelopes[family], limits: limits, profiles: profiles, findings: findings, said: map[said]bool{}, memory: memory{all: sha256.New()}}
	if opt.Resume != nil {
		return c, c.resume(opt.Resume)
	}
	if first.Get("event_type").TextIs("SESSION_START") {
		text, _ := first.Get("payload").Get("sdk_public_key").Text()
		if key, err := base64.StdEncoding.DecodeString(text); err == nil && len(key) == ed25519.PublicKeySize {
			c.Key = key
		}
	}
	return c, nil
}

func (c *Checker) profileNames() string {
	if len(c.profiles) == 1 {
		return c.profiles[0].Name
	}
	return fmt.Sprintf("%s and %d profiles of real logs", c.profiles[0].Name, len(c.profiles)-1)
}

// putInOrder takes the events of a block after those of the blocks before it.
func (c *Checker) putInOrder(b *batch) error {
	if b.err != nil {
		return b.err
	}
	c.findings.Merge(b.findings)
	for _, n := range b.notes {
		if !c.said[n.said] {
			c.said[n.said] = true
			c.findings.Add(n.finding)
		}
	}
	c.Broken += int64(b.broken)
	for i := range b.events {
		c.next(&b.events[i])
	}
	clear(b.events)
	b.events, b.notes, b.broken = b.events[:0], b.notes[:0], 0
	c.batches.Put(b)
	return nil
}

// next takes one event in file order.
func (c *Checker) next(e *event) {
	if e.lost {
		c.lose(e)
		return
	}
	if c.Events == 0 {
		c.begin(e)
	}
	cause := c.sessionOf(e)
	c.authorityOf(e)
	if c.env.chained {
		cause = c.order(e, cause)
	} else {
		c.number(e, cause)
	}
	if c.Seal.Last {
		c.Seal.Last = false
		c.fault(e, codeSealNotLast, typeName, cause, fmt.Sprintf("an event after the CHAIN_SEAL of line %d", c.Seal.Line), "", "")
	}
	c.versionOf(e)
	c.kinds(e, cause)
	c.toolOf(e)
	c.Profile |= e.profiles
	c.Events++
	if c.env.chained {
		c.all.Write(hashText(e))
		if e.detail != nil && e.detail.signed != sigAbsent {
			c.Signed[e.detail.signed-1]++
		}
		if c.env.whole && e.kind != sessionEnd {
			c.Leaves.add(e.hash.Sum)
		}
	}
	if a := c.opt.Anchor; a != nil && c.Events == a.Events {
		c.passAnchor(e, a)
	}
	c.Last = c.place(e)
}

// hashText is an event's hash as the line spells it.
func hashText(e *event) []byte {
	raw := e.raw(eventHash)
	return raw[1 : len(raw)-1]
}

func (c *Checker) begin(e *event) {
	c.Authority = e.textOf(chainAuthority)
	if !c.env.ordered {
		return
	}
	if e.kind != sessionStart {
		c.fault(e, codeSessionStart, typeName, "", "the log does not open with SESSION_START", "SESSION_START", strings.Trim(string(e.raw(typeName)), `"`))
	}
}

// textOf is a member's JSON text, "null" for an absent one: enough to compare.
func (e *event) textOf(m member) string {
	if !e.has(m) {
		return "null"
	}
	return string(e.raw(m))
}

// same compares a member with a remembered text without allocating.
func (e *event) same(m member, text string) bool {
	if !e.has(m) {
		return text == "null"
	}
	return string(e.raw(m)) == text
}

// sessionOf holds the log to one session. It returns the cause that a foreign event
// is for the other faults of its line.
func (c *Checker) sessionOf(e *event) (cause string) {
	if !e.has(sessionID) {
		return ""
	}
	if c.Session == "" {
		c.Session = e.textOf(sessionID)
		c.all.Write([]byte(strings.Trim(c.Session, `"`)))
		return ""
	}
	if e.same(sessionID, c.Session) {
		c.Foreign = false
		return ""
	}
	if !c.Foreign {
		c.Foreign = true
		c.fault(e, codeSessionMismatch, sessionID, "", "the event belongs to another session than the log's first", strings.Trim(c.Session, `"`), strings.Trim(e.textOf(sessionID), `"`))
		c.Chain.blame(codeSessionMismatch, e.line.Number)
		return c.Chain.Cause
	}
	return ""
}

// authorityOf holds the log to one chain authority; one finding for a run of events
// that have another.
func (c *Checker) authorityOf(e *event) {
	same := e.same(chainAuthority, c.Authority)
	if !same && !c.Mixed {
		c.fault(e, codeAuthorityMixed, chainAuthority, "", "the chain authority changes within the log", c.Authority, e.textOf(chainAuthority))
	}
	c.Mixed = !same
}

func (c *Checker) versionOf(e *event) {
	if !c.env.versions || e.version == 0 || c.Versions&e.version != 0 {
		return
	}
	if c.Versions != 0 {
		c.note(e, codeVersionMixed, schemaVer, "schema_ver changes within the log")
	}
	if c.Versions |= e.version; e.version == noVersion {
		c.note(e, codeVersionAbsent, typeName, "the event states no schema_ver; the rules of the 14-field envelope apply")
	}
}

// kinds applies the rules of single event types.
func (c *Checker) kinds(e *event, cause string) {
	c.Seen |= 1 << e.kind
	switch e.kind {
	case sessionStart:
		if c.Starts++; c.Starts == 2 && c.env.ordered {
			c.fault(e, codeSessionStart, typeName, cause, "a second SESSION_START", "", "")
		}
	case sessionEnd:
		c.merkleOf(e)
	case chainSeal:
		c.sealed(e, cause)
	}
	if e.detail != nil && e.detail.signed == sigInvalid {
		c.fault(e, codeSignature, signature, "", "the Ed25519 signature does not fit event_hash and the session's key", "", "")
	}
}

// toolOf matches results with calls.
func (c *Checker) toolOf(e *event) {
	switch {
	case !e.hasTool:
	case e.kind == toolCall:
		if c.tools.size < c.limits.IDs {
			c.tools.add(e.tool)
		}
	case c.tools.size >= c.limits.IDs:
	default:
		call, id := c.tools.answer(e.tool)
		switch {
		case call:
		case id:
			c.payloadFault(e, codeToolName, "payload.tool_name", "the result names another tool than the call of this tool_id")
		default:
			c.payloadFault(e, codeToolUnmatched, "payload.tool_id", "no earlier TOOL_CALL has this tool_id")
		}
	}
}

func (c *Checker) payloadFault(e *event, code, path, message string) {
	f := finding.Finding{Rule: code, Severity: finding.Error, Path: path, Message: message, Index: e.index()}
	if h := &c.Chain.Hole; h.Open && h.Left > 0 {
		f.CausedBy = h.Root // the call may be among the events that are missing
	}
	source.Point(&f, e.line, int(e.toolSpan.start), int(e.toolSpan.end))
	f.Found = clip(strings.Trim(string(e.line.Bytes[e.toolSpan.start:e.toolSpan.end]), `"`))
	c.findings.Add(f)
}

// fault reports an error that touches integrity.
func (c *Checker) fault(e *event, code string, m member, cause, message, expected, found string) {
	c.Broken++
	c.report(e, finding.Error, code, m, cause, message, expected, found)
}

func (c *Checker) note(e *event, code string, m member, message string) {
	c.report(e, finding.Info, code, m, "", message, "", "")
}

func (c *Checker) report(e *event, s finding.Severity, code string, m member, cause, message, expected, found string) {
	if c.findings.Full(s) {
		c.findings.Count(s, 1)
		return
	}
	f := finding.Finding{Rule: code, Severity: s, Path: m.String(), Message: message, Expected: expected, Found: found, CausedBy: cause, Index: e.index()}
	at := e.spans[m]
	if m == payloadMember {
		at.end = at.start + 1
	}
	source.Point(&f, e.line, int(at.start), int(at.end))
	c.findings.Add(f)
}
