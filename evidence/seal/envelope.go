package seal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/shape"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Envelope is a DSSE envelope in a file. Nothing in it is verified yet.
type Envelope struct {
	Line     int  // of the file, where that has one envelope per line; else 0
	Sigstore bool // it was in a Sigstore bundle, whose certificates and log entries are not checked

	payloadType string
	payload     []byte
	signatures  []signature
}

type signature struct {
	keyID string // a hint chosen by the envelope's author
	bytes []byte
}

// sigstoreType starts the media type of a Sigstore bundle of any version.
const sigstoreType = "application/vnd.dev.sigstore.bundle"

const (
	notSigned = "the attestation is not a DSSE envelope"

	// maxSignatures limits an envelope's signatures, because each can be checked with every key.
	maxSignatures = 100

	// maxEnvelopes is the maximum number of envelopes in a file.
	maxEnvelopes = 1000

	// previewBytes is the size of an unknown key id's preview in messages: an id of this package is shown whole.
	previewBytes = 80
)

// Read parses a file of attestations: a DSSE envelope, a Sigstore bundle, or several on separate lines. It returns
// a finding for a malformed file, because an unreadable line could be about any bundle.
func Read(text []byte) ([]*Envelope, *evidence.Finding) {
	whole, fault := readEnvelope(text)
	if fault == nil {
		return []*Envelope{whole}, nil
	}
	lines := bytes.Split(text, []byte{'\n'})
	first, rest, _ := bytes.Cut(bytes.TrimSpace(text), []byte{'\n'})
	if len(bytes.TrimSpace(rest)) == 0 || !isObject(first) {
		return nil, fault
	}
	var list []*Envelope
	for i, line := range lines {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		e, fault := readEnvelope(line)
		switch {
		case fault != nil:
			fault.Line, fault.Column = i+1, 1
			return nil, fault
		case len(list) == maxEnvelopes:
			return nil, shape.Fault(&rules[ruleSignature], "", fmt.Sprintf("the file has more than %d envelopes", maxEnvelopes))
		}
		e.Line = i + 1
		list = append(list, e)
	}
	return list, nil
}

func isObject(line []byte) bool {
	doc, err := scan(line)
	return err == nil && doc.Root().Is(strictjson.Object)
}

func readEnvelope(text []byte) (*Envelope, *evidence.Finding) {
	doc, err := scan(text)
	if err != nil {
		return nil, fault(ruleSignature, "", notSigned+": "+err.Error())
	}
	r := shape.Reader{Rule: &rules[ruleSignature], What: notSigned}
	root := r.Root(doc)
	e := &Envelope{}
	if kind, _ := root.Get("mediaType").Text(); strings.HasPrefix(kind, sigstoreType) {
		e.Sigstore = true
		root = r.Object(root, "dsseEnvelope")
	}
	e.payloadType, e.payload = r.Text(root, "payloadType"), r.Base64(root, "payload")
	for _, signed := range r.List(root, "signatures", maxSignatures) {
		e.signatures = append(e.signatures, signature{r.Optional(signed, "keyid"), r.Base64(signed, "sig")})
	}
	return e, r.Fault
}

// About reports whether an envelope has a bundle's digest as subject. An unreadable payload can be about any bundle.
func (e *Envelope) About(bundle evidence.Sum) bool {
	doc, err := scan(e.payload)
	if err != nil || !doc.Root().Is(strictjson.Object) {
		return true
	}
	for subject := range doc.Root().Get("subject").Children() {
		text := subject.Get("digest").Get("sha256").TextBytes(nil)
		if sum, ok := digest.ParseHex(bytes.ToLower(text)); ok && sum == bundle {
			return true
		}
	}
	return false
}

// Trust defines which signatures count.
type Trust struct {
	Keys      []evidence.Verifier
	Threshold int // how many keys must have signed; default: one

	// WithoutGit accepts an attestation without the producer's git, as version 5 of the reference
	// implementation wrote.
	WithoutGit bool
}

// verify returns the ids of the trusted keys with a valid signature, each once.
func (e *Envelope) verify(ctx context.Context, trust Trust) (good []string, _ *evidence.Finding, _ error) {
	message := PreAuthEncoding(e.payloadType, e.payload)
	signed := map[string]bool{}
	for _, key := range trust.Keys {
		if signed[key.KeyID()] {
			continue
		}
		ok, err := e.signedBy(ctx, key, message)
		if err != nil {
			return nil, nil, err
		}
		if ok {
			signed[key.KeyID()] = true
			good = append(good, key.KeyID())
		}
	}
	if len(good) >= max(1, trust.Threshold) {
		return good, nil, nil
	}
	return nil, e.unsigned(trust, len(good)), nil
}

// signedBy reports whether one of the signatures is the key's. It tries signatures with the key's id first, then
// all others.
func (e *Envelope) signedBy(ctx context.Context, key evidence.Verifier, message []byte) (bool, error) {
	for _, hinted := range []bool{true, false} {
		for _, s := range e.signatures {
			if hinted != (s.keyID == key.KeyID()) {
				continue
			}
			err := key.Verify(ctx, message, s.bytes)
			if err == nil {
				return true, nil
			}
			if !errors.Is(err, evidence.ErrBadSignature) {
				return false, err
			}
		}
	}
	return false, nil
}

// unsigned returns the fault of an envelope that too few trusted keys have signed.
func (e *Envelope) unsigned(trust Trust, good int) *evidence.Finding {
	if good > 0 {
		f := fault(ruleSignature, "/signatures", "too few trusted keys have signed the attestation")
		f.Expected, f.Found = fmt.Sprintf("signatures of %d keys", trust.Threshold), fmt.Sprintf("of %d", good)
		return f
	}
	for i, s := range e.signatures {
		for _, key := range trust.Keys {
			if s.keyID == key.KeyID() {
				return fault(ruleSignature, fmt.Sprintf("/signatures/%d/sig", i), "the signature does not match the key, the payload and its type")
			}
		}
	}
	f := fault(ruleSignature, "/signatures", "the attestation is not signed by a trusted key")
	ids := make([]string, len(trust.Keys))
	for i, key := range trust.Keys {
		ids[i] = key.KeyID()
	}
	f.Expected, f.Found = strings.Join(ids, " or "), say.Preview(e.signatures[0].keyID, previewBytes)
	return f
}
