package verdict_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"testing"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"github.com/cupel-dev/cupel/commands/internal/verdict"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/seal"
)

const sum = "1b69226f3c5a457bc9e1ea34afc23c30224ab535d267322ff92ae870c1184d02"

func statement() verdict.Statement {
	return verdict.Statement{
		Subject: []verdict.Subject{{Name: "log.jsonl", Digest: verdict.Digest{SHA256: sum}}},
		Predicate: verdict.Predicate{
			Command: "trace verify", Verdict: verdict.Failed, Version: "1", Options: map[string]any{"strict": true},
			Inputs: []verdict.Input{{Name: "log.jsonl", Verdict: "invalid"}}, Rules: map[string]int{"hash.payload": 2}, NotCovered: []string{"the tail"},
		},
	}
}

func keys(t *testing.T) (*seal.Signer, seal.Trust) {
	t.Helper()
	private := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	signer, err := seal.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	public, err := seal.NewVerifier(private.Public())
	if err != nil {
		t.Fatal(err)
	}
	return signer, seal.Trust{Keys: []evidence.Verifier{public}}
}

func signed(t *testing.T, s verdict.Statement) []byte {
	t.Helper()
	signer, _ := keys(t)
	text, err := s.Sign(t.Context(), signer)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestRoundTrip: what is signed is read, equal statements are equal bytes, and any change of a byte of
// the payload or the signature is refused.
func TestRoundTrip(t *testing.T) {
	_, trust := keys(t)
	text := signed(t, statement())
	if !bytes.Equal(text, signed(t, statement())) {
		t.Error("equal statements have different bytes")
	}
	s, ids, fault, err := verdict.Read(t.Context(), text, trust)
	if err != nil || fault != nil || len(ids) != 1 {
		t.Fatal(ids, fault, err)
	}
	if s.PredicateType != verdict.PredicateType || s.Predicate.Verdict != verdict.Failed || s.Subject[0].Digest.SHA256 != sum || s.Predicate.Rules["hash.payload"] != 2 {
		t.Errorf("%+v", s)
	}
	var e dsse.Envelope
	if err := json.Unmarshal(text, &e); err != nil {
		t.Fatal(err)
	}
	for _, part := range []*string{&e.Payload, &e.Signatures[0].Sig} {
		whole, err := base64.StdEncoding.DecodeString(*part)
		if err != nil {
			t.Fatal(err)
		}
		for i := range whole {
			whole[i] ^= 1
			was := *part
			*part = base64.StdEncoding.EncodeToString(whole)
			changed, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, fault, err := verdict.Read(t.Context(), changed, trust); err != nil || fault == nil {
				t.Fatalf("byte %d: a changed statement was read (%v)", i, err)
			}
			whole[i], *part = whole[i]^1, was
		}
	}
}

// TestLibraryOfDSSE: the public library verifies the envelope.
func TestLibraryOfDSSE(t *testing.T) {
	_, trust := keys(t)
	var e dsse.Envelope
	if err := json.Unmarshal(signed(t, statement()), &e); err != nil {
		t.Fatal(err)
	}
	verifier, err := dsse.NewEnvelopeVerifier(library{trust.Keys[0]})
	if err != nil {
		t.Fatal(err)
	}
	if accepted, err := verifier.Verify(t.Context(), &e); err != nil || len(accepted) != 1 {
		t.Errorf("%v, %v", accepted, err)
	}
	e.Signatures[0].Sig = base64.StdEncoding.EncodeToString(make([]byte, ed25519.SignatureSize))
	if _, err := verifier.Verify(t.Context(), &e); err == nil {
		t.Error("the library accepts another signature")
	}
}

// library is a key as the library of DSSE takes it.
type library struct{ evidence.Verifier }

func (l library) KeyID() (string, error) { return l.Verifier.KeyID(), nil }
func (l library) Verify(ctx context.Context, message, signature []byte) error {
	return l.Verifier.Verify(ctx, message, signature)
}

// Public implements dsse.Verifier.
func (l library) Public() crypto.PublicKey { return nil }

// TestRefused: a signed statement that is not a verdict is refused.
func TestRefused(t *testing.T) {
	signer, trust := keys(t)
	for name, payload := range map[string]string{
		"no statement":          `{}`,
		"not JSON":              `{"_type"`,
		"a member twice":        `{"_type":"https://in-toto.io/Statement/v1","_type":"https://in-toto.io/Statement/v1"}`,
		"another predicate":     `{"_type":"https://in-toto.io/Statement/v1","predicateType":"https://slsa.dev/provenance/v1","subject":[],"predicate":{}}`,
		"no subject":            `{"_type":"https://in-toto.io/Statement/v1","predicateType":"https://cupel.dev/verdict/v1","subject":[],"predicate":{"verdict":"passed"}}`,
		"no digest":             `{"_type":"https://in-toto.io/Statement/v1","predicateType":"https://cupel.dev/verdict/v1","subject":[{"name":"a","digest":{}}],"predicate":{"verdict":"passed"}}`,
		"another verdict":       `{"_type":"https://in-toto.io/Statement/v1","predicateType":"https://cupel.dev/verdict/v1","subject":[{"name":"a","digest":{"sha256":"` + sum + `"}}],"predicate":{"verdict":"fine"}}`,
		"a subject twice":       `{"_type":"https://in-toto.io/Statement/v1","predicateType":"https://cupel.dev/verdict/v1","subject":[{"name":"a","digest":{"sha256":"` + sum + `"}},{"name":"a","digest":{"sha256":"` + sum + `"}}],"predicate":{"verdict":"passed"}}`,
		"members of other kind": `{"_type":"https://in-toto.io/Statement/v1","predicateType":"https://cupel.dev/verdict/v1","subject":{},"predicate":[]}`,
	} {
		text, err := seal.Sign(t.Context(), signer, seal.PayloadType, []byte(payload))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, fault, err := verdict.Read(t.Context(), text, trust); err != nil || fault == nil {
			t.Errorf("%s: read (%v)", name, err)
		}
	}
	text, err := seal.Sign(t.Context(), signer, "text/plain", []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, fault, err := verdict.Read(t.Context(), text, trust); err != nil || fault == nil {
		t.Error("a payload of another type was read")
	}
	if _, _, fault, err := verdict.Read(t.Context(), bytes.Repeat(signed(t, statement()), 2), trust); err != nil || fault == nil {
		t.Error("two envelopes were read as one")
	}
}
