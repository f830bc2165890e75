package session

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math/bits"
	"slices"
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

	memory
	kept memory // before the rules of the log's end
}

// sigState is what became of a signature.
type sigState uint8

const (
	sigAbsent sigState = iota
	sigValid
	sigInvalid
	sigUnchecked
)

var sigNames = [...]string{"absent", "valid", "invalid", "unchecked"}

// New returns the checker of a log of the given family. first is its first readable
// record. The options have passed Options.Check.
func New(findings *stream.Findings, limits stream.Limits, family string, first strictjson.Node, opt Options) (*Checker, error) {
	findings.DropOnReject = true
	profiles, _ := profilesOf(opt.Canonicalization)
	c := &Checker{opt: opt, family: family, env: envelopes[family], limits: limits, profiles: profiles, findings: findings, memory: memory{all: sha256.New()}}
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
	c.Broken += int64(b.broken)
	for i := range b.events {
		c.next(&b.events[i])
	}
	clear(b.events)
	b.events, b.broken = b.events[:0], 0
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

func (c *Checker) merkleOf(e *event) {
	root, ok := e.detail.keys["merkle_root"]
	if !ok || !c.env.whole {
		return
	}
	c.Merkle = sigValid
	computed := c.Leaves.root().Hex()
	switch {
	case root != computed:
		c.fault(e, codeMerkleRoot, payloadMember, "", "merkle_root is not the root over the events before", computed, clip(root))
	case e.detail.hasLeaves && e.detail.leaves != c.Leaves.Leaves:
		c.fault(e, codeMerkleRoot, payloadMember, "", "merkle_leaf_count is not the number of events before", fmt.Sprint(c.Leaves.Leaves), fmt.Sprint(e.detail.leaves))
	default:
		return
	}
	c.Merkle = sigInvalid
}

// sealed applies the rules of CHAIN_SEAL.
func (c *Checker) sealed(e *event, cause string) {
	d := e.detail
	c.Seal = sealState{Line: e.line.Number, Last: true, Complete: true}
	for _, name := range []string{"final_event_hash", "final_hash"} {
		if text, ok := d.keys[name]; ok && text != e.prev.String() && c.env.chained {
			c.fault(e, codeSealFinalHash, payloadMember, cause, name+" is not the hash before the seal", e.prev.String(), clip(text))
		}
	}
	if c.env.whole {
		if text, ok := d.keys["authority"]; ok && !isServer(text) {
			c.fault(e, codeSealAuthority, payloadMember, cause, fmt.Sprintf("a seal by %q, expected one by the server", clip(text)), "server", clip(text))
		}
	}
	for _, name := range sealMetadata {
		if d.keys[name] != "" {
			continue
		}
		c.Seal.Complete = false
		if e.version == versionV06 && isServer(strings.Trim(e.textOf(chainAuthority), `"`)) {
			c.fault(e, codeSealMetadata, payloadMember, cause, fmt.Sprintf("the seal lacks %s, which v0.6 demands of a server", name), "", "")
		}
	}
	if text, ok := d.keys["session_digest"]; ok && c.env.chained {
		c.digestOf(e, text, cause)
	}
	c.macOf(e)
}

func (c *Checker) digestOf(e *event, text, cause string) {
	switch judgeDigest(text, e.prev, c.all) {
	case digestDiffers:
		c.fault(e, codeSealDigest, payloadMember, cause, "session_digest fits neither the hash before the seal nor the session's hashes", e.prev.String(), clip(text))
	case digestUnrecognised:
		c.note(e, codeSealDigestOther, payloadMember, "session_digest is of no known construction and was not compared")
	}
}

func (c *Checker) macOf(e *event) {
	d := e.detail
	switch {
	case c.opt.HMACKey == nil:
		if d.mac != "" && c.MAC == sigAbsent {
			c.MAC = sigUnchecked
		}
	case d.mac == "":
		c.MAC = sigInvalid
		c.fault(e, codeSealHMAC, payloadMember, "", "the seal carries no HMAC to compare with the key", "", "")
	case !macMatches(c.opt.HMACKey, d.mac, e.prev):
		c.MAC = sigInvalid
		c.fault(e, codeSealHMAC, payloadMember, "", "the seal's HMAC does not fit the key and the hash before the seal", "", clip(d.mac))
	case c.MAC != sigInvalid:
		c.MAC = sigValid
	}
}

// isServer says whether a chain authority is the server's.
func isServer(authority string) bool {
	return authority == "server" || strings.HasPrefix(authority, "agentops-ingest-")
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

// Finish says what only the end of the log can tell.
func (c *Checker) Finish() (stream.Outcome, error) {
	c.kept = c.memory // a growing log goes on after this end
	c.kept.Chain.Damage = slices.Clone(c.Chain.Damage)
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
		whole(finding.Info, codeToolUnanswered, fmt.Sprintf("%d tool calls have no result", open))
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
