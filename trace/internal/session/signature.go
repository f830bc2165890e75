package session

import (
	"crypto/ed25519"
	"encoding/base64"
	"slices"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// malformedKey replaces an announced key that is not 32 bytes in base64. No signature matches it.
var malformedKey = ed25519.PublicKey("malformed")

// KeyOf returns the Ed25519 key in payload.sdk_public_key of a SESSION_START, or nil. If the value is invalid, it
// returns a key that no signature matches.
func KeyOf(first strictjson.Node) ed25519.PublicKey {
	announced := first.Get("payload").Get("sdk_public_key")
	if !first.Get("event_type").TextIs("SESSION_START") || announced.Missing() {
		return nil
	}
	text, _ := announced.Text()
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return slices.Clone(malformedKey)
	}
	return key
}

func isKey(key ed25519.PublicKey) bool { return len(key) == ed25519.PublicKeySize }

// signers are the keys that can sign the events of a log.
type signers struct {
	Key     ed25519.PublicKey   // that the log announces; nil: it announces none
	trusted []ed25519.PublicKey // Options.TrustedKeys
}

// demanded reports whether every event that the format signs must have a signature.
func (s *signers) demanded() bool { return s.Key != nil || len(s.trusted) > 0 }

// keys returns the keys to try. An announced key is always included: if it is not trusted, that is one finding
// rather than one per event.
func (s *signers) keys() []ed25519.PublicKey {
	switch {
	case s.Key == nil:
		return s.trusted
	case !isKey(s.Key):
		return nil
	}
	return []ed25519.PublicKey{s.Key}
}

func (s *signers) untrusted() bool {
	return s.Key != nil && len(s.trusted) > 0 && !slices.ContainsFunc(s.trusted, func(k ed25519.PublicKey) bool { return k.Equal(s.Key) })
}

// signatureReader verifies event signatures, which are over the hex digits of event_hash.
type signatureReader struct{ signers }

func (r *signatureReader) read(rec *record, e *event) {
	if !e.has(signature) {
		if r.demanded() && !e.kind.ofServer() {
			e.signed = sigMissing
		}
		return
	}
	if !r.demanded() {
		e.signed = sigUnchecked
		return
	}
	text, _ := rec.nodes[signature].Text()
	sig, err := base64.StdEncoding.DecodeString(text)
	hash, _ := rec.nodes[eventHash].Text()
	e.signed = sigInvalid
	for _, key := range r.keys() {
		if err == nil && ed25519.Verify(key, []byte(hash), sig) {
			e.signed = sigValid
			return
		}
	}
}

// signatures counts the events' signatures by result.
type signatures struct {
	signers
	Signed [sigStates - 1]int64 // events by sigState, from sigValid on
	out    *reporter
}

func (p *signatures) take(e *event) {
	if e.nth == 1 && p.untrusted() {
		p.out.fault(e, remark{
			rule: ruleSignatureUntrusted, at: payloadMember, message: "the log announces a key that is not trusted: it was signed, or signed anew, by someone else",
			expected: fingerprints(p.trusted...), found: fingerprints(p.Key),
		})
	}
	if e.signed == sigAbsent {
		return
	}
	p.Signed[e.signed-1]++
	switch e.signed {
	case sigInvalid:
		p.out.fault(e, remark{rule: ruleSignature, at: signature, message: "the Ed25519 signature does not match event_hash and the session's key"})
	case sigUnchecked:
		if p.count(sigUnchecked) == 1 { // the finding represents all
			p.out.fault(e, remark{rule: ruleSignatureNoCheck, at: signature, message: "the event is signed, but SESSION_START announces no Ed25519 key"})
		}
	case sigMissing:
		why := "SESSION_START announces a key"
		if len(p.trusted) > 0 {
			why = "the log must be signed by a trusted key"
		}
		p.out.fault(e, remark{rule: ruleSignatureMissing, at: typeName, cause: e.cause, message: "the event has no signature, but " + why})
	}
}

// finishBare reports that signatures were required of a log without hashes.
func (p *signatures) finishBare() {
	if len(p.trusted) > 0 {
		p.out.unmet(rules[ruleSignatureMissing].New("the log carries no hashes, so none of its events is signed"))
	}
}

func (p *signatures) worst() stream.SignatureState {
	switch {
	case p.count(sigInvalid)+p.count(sigMissing)+p.count(sigUnchecked) > 0, p.count(sigValid) > 0 && p.untrusted():
		return stream.SignatureInvalid
	case p.count(sigValid) > 0:
		return stream.SignatureValid
	}
	return stream.SignatureAbsent
}

func (p *signatures) count(s sigState) int64 { return p.Signed[s-1] }

// key describes the key of valid signatures. It returns nil without signatures or if several keys signed.
func (p *signatures) key() *stream.SignatureKey {
	key, basis := p.Key, stream.KeyOfLog
	if len(p.trusted) > 0 {
		basis = stream.KeyTrusted
		if key == nil && len(p.trusted) == 1 {
			key = p.trusted[0]
		}
	}
	if p.count(sigValid) == 0 || !isKey(key) {
		return nil
	}
	if p.untrusted() {
		basis = stream.KeyUntrusted
	}
	return &stream.SignatureKey{Fingerprint: fingerprint(key), Basis: basis}
}

func (p *signatures) notCovered() []string {
	if p.count(sigValid) == 0 || len(p.trusted) > 0 {
		return nil
	}
	return []string{"who signed: the Ed25519 key comes from the log itself; --key FILE demands a key that you trust"}
}

// fingerprint returns the SHA-256 of a key's SubjectPublicKeyInfo (RFC 8410), the same as
//
//	openssl pkey -pubin -in key.pem -outform DER | sha256sum
func fingerprint(key ed25519.PublicKey) string {
	const start = "\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00" // the encoding has one form: this, then the key
	return digest.Of(append([]byte(start), key...)).String()
}

func fingerprints(keys ...ed25519.PublicKey) (list string) {
	for i, key := range keys {
		if i > 0 {
			list += " or "
		}
		if isKey(key) {
			list += fingerprint(key)
		} else {
			list += "a malformed key"
		}
	}
	return list
}
