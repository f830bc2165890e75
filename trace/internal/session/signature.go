package session

import (
	"crypto/ed25519"
	"encoding/base64"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// KeyOf returns the Ed25519 key that a SESSION_START brings, nil for any other record.
func KeyOf(first strictjson.Node) ed25519.PublicKey {
	if !first.Get("event_type").TextIs("SESSION_START") {
		return nil
	}
	text, _ := first.Get("payload").Get("sdk_public_key").Text()
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil
	}
	return key
}

// signatureReader verifies the signature of an event over the hexadecimal digits of its
// event_hash.
type signatureReader struct{ key ed25519.PublicKey }

func (r *signatureReader) read(rec *record, e *event) {
	if !e.has(signature) {
		return
	}
	if r.key == nil {
		e.signed = sigUnchecked
		return
	}
	text, _ := rec.nodes[signature].Text()
	sig, err := base64.StdEncoding.DecodeString(text)
	hash, _ := rec.nodes[eventHash].Text()
	if e.signed = sigValid; err != nil || !ed25519.Verify(r.key, []byte(hash), sig) {
		e.signed = sigInvalid
	}
}

// signatures counts what became of the events' signatures.
type signatures struct {
	Key    ed25519.PublicKey // nil when the log brings none
	Signed [3]int64          // signed events by sigState, from sigValid on
	out    *reporter
}

func (p *signatures) take(e *event) {
	if e.signed == sigAbsent {
		return
	}
	p.Signed[e.signed-1]++
	if e.signed == sigInvalid {
		p.out.fault(e, remark{rule: ruleSignature, at: signature, message: "the Ed25519 signature does not fit event_hash and the session's key"})
	}
}

func (p *signatures) finish() {
	if n := p.Signed[sigUnchecked-1]; n > 0 {
		p.out.findings.Add(rules[ruleSignatureNoCheck].New(say.Counted(n, "signed event") + ", but the first event brings no Ed25519 key"))
	}
}

// worst is the state of all signatures together.
func (p *signatures) worst() stream.SignatureState {
	for _, s := range []sigState{sigInvalid, sigUnchecked, sigValid} {
		if p.Signed[s-1] > 0 {
			return s.public()
		}
	}
	return stream.SignatureAbsent
}

// notCovered says what the signatures leave open in a log of so many events.
func (p *signatures) notCovered(events int64) []string {
	if p.Signed[sigValid-1] == 0 {
		return nil
	}
	list := []string{"who signed: the Ed25519 key comes from the log itself"}
	if n := events - p.Signed[0] - p.Signed[1] - p.Signed[2]; n > 0 {
		list = append(list, say.Counted(n, "event")+" without a signature")
	}
	return list
}
