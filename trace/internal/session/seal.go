package session

import (
	"fmt"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// seal checks CHAIN_SEAL events.
type seal struct {
	Seal   sealState
	MAC    sigState
	digest sessionDigest
	digits []byte // of the hashes of a run
	idle   bool   // no seal to come asks for the digest
	after  bool   // events before the log are not there
	key    []byte // of the HMAC; nil leaves it unchecked
	env    *envelope
	out    *reporter
}

// sealState is the last CHAIN_SEAL of the log.
type sealState struct {
	Line     int  // 0 without a seal
	Complete bool // a server's seal with metadata
	Last     bool // no event came after it
}

func (p *seal) take(e *event) {
	if e.names && e.nth == 1 { // a session that is named later heads no digest
		p.digest.begin(e)
	}
	if p.Seal.Last {
		p.Seal.Last = false
		line, _ := p.out.line(p.Seal.Line, e)
		p.out.fault(e, remark{rule: ruleSealNotLast, at: typeName, cause: e.cause, message: "an event after the CHAIN_SEAL of " + line})
	}
	if e.kind == chainSeal {
		p.Seal = sealState{Line: e.line.Number, Last: true, Complete: true}
		p.judge(e)
	}
	if p.env.chained && !p.idle {
		p.digest.add(e)
	}
}

// fault reports an error in the seal's payload.
func (p *seal) fault(e *event, what remark) {
	what.at = payloadMember
	p.out.fault(e, what)
}

func (p *seal) judge(e *event) {
	if p.env.chained {
		p.finalHash(e, "final_event_hash", false)
		p.finalHash(e, "final_hash", p.env.whole)
	}
	if p.env.whole {
		p.authority(e)
	}
	p.metadata(e)
	p.compareDigest(e)
	p.compareMAC(e, e.detail.mac)
}

// mistyped reports a member that is not a string. It returns true if the member is a string. null is an error if
// demanded is set.
func (p *seal) mistyped(e *event, id rule, name string, demanded bool) bool {
	s := e.detail.said[name]
	if !s.misshapen(demanded) {
		return false
	}
	found := say.Article(s.kind.String())
	p.fault(e, remark{rule: id, cause: e.cause, message: fmt.Sprintf("%s is %s, expected a string", name, found), expected: "a string", found: found})
	return true
}

func (p *seal) finalHash(e *event, name string, demanded bool) {
	if p.mistyped(e, ruleSealFinalHash, name, demanded) {
		return
	}
	if s := e.detail.said[name]; s.is() && s.text != e.prev.String() {
		p.fault(e, remark{rule: ruleSealFinalHash, cause: e.cause, message: name + " is not the hash before the seal", expected: e.prev.String(), found: clip(s.text)})
	}
}

func (p *seal) authority(e *event) {
	if p.mistyped(e, ruleSealAuthority, "authority", true) {
		return
	}
	if s := e.detail.said["authority"]; s.is() && !isServer(s.text) {
		p.fault(e, remark{rule: ruleSealAuthority, cause: e.cause, message: fmt.Sprintf("a seal by %q, expected one by the server", clip(s.text)), expected: "server", found: clip(s.text)})
	}
}

// sealMetadata are the members of a seal by a server, since v0.6.
var sealMetadata = [...]string{"ingestion_service_id", "seal_timestamp", "session_digest"}

func (p *seal) metadata(e *event) {
	if p.env.whole {
		p.members(e)
		return
	}
	demanded := e.version == versionV06 && isServer(e.stringOf(chainAuthority))
	for _, name := range sealMetadata {
		s := e.detail.said[name]
		if s.text != "" {
			continue
		}
		p.Seal.Complete = false
		id := ruleSealMetadata
		if name == "session_digest" {
			id = ruleSealDigest
		}
		if !p.mistyped(e, id, name, false) && demanded {
			p.fault(e, remark{rule: ruleSealMetadata, cause: e.cause, message: fmt.Sprintf("the seal lacks %s, which v0.6 demands of a server", name)})
		}
	}
}

// members checks that a 1.0 seal has the required members. The envelope without numbers requires only two of them.
func (p *seal) members(e *event) {
	names := []string{"final_hash", "event_count", "authority", "server_timestamp", "server_version"}
	if p.env.number == noMember {
		names = names[:2]
	}
	for _, name := range names {
		if e.detail.said[name].kind <= strictjson.Null {
			p.Seal.Complete = false
		}
	}
}

func (p *seal) compareDigest(e *event) {
	s := e.detail.said["session_digest"]
	if !s.is() || !p.env.chained {
		return
	}
	switch judged := p.digest.judge(s.text, e.prev); {
	case judged == digestDiffers && !p.after:
		p.fault(e, remark{
			rule: ruleSealDigest, cause: e.cause, message: "session_digest fits neither the hash before the seal nor the session's hashes",
			expected: e.prev.String(), found: clip(s.text),
		})
	case judged == digestDiffers || judged == digestUnrecognised:
		p.out.note(e, remark{rule: ruleSealDigestOther, at: payloadMember, message: "the construction of session_digest is unknown, so it was not compared"})
	}
}

func (p *seal) compareMAC(e *event, mac string) {
	switch {
	case p.mistyped(e, ruleSealHMAC, "server_hmac", false):
		p.MAC = sigInvalid
	case p.key == nil:
		if mac != "" && p.MAC == sigAbsent {
			p.MAC = sigUnchecked
		}
	case mac == "":
		p.MAC = sigInvalid
		p.fault(e, remark{rule: ruleSealHMAC, message: "the seal carries no HMAC to compare with the key"})
	case !macMatches(p.key, mac, e.prev):
		p.MAC = sigInvalid
		p.fault(e, remark{rule: ruleSealHMAC, message: "the seal's HMAC does not match the key and the hash before the seal", found: clip(mac)})
	case p.MAC != sigInvalid:
		p.MAC = sigValid
	}
}

// finish reports an error if the seal's HMAC should be checked and the log does not have a seal.
func (p *seal) finish() {
	if p.key != nil && p.Seal.Line == 0 {
		p.MAC = sigInvalid
		p.out.unmet(rules[ruleSealHMAC].New("a key was given, but the log has no CHAIN_SEAL to authenticate"))
	}
}

func (p *seal) notCovered() []string {
	if p.MAC == sigUnchecked {
		return []string{"the seal's HMAC: no key was given"}
	}
	return nil
}
