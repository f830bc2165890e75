package seal_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/seal"
)

// testSigner signs with a key that is made of one byte.
func testSigner(t *testing.T, b byte) (*seal.Signer, ed25519.PublicKey) {
	t.Helper()
	key := ed25519.NewKeyFromSeed([]byte(strings.Repeat(string(rune(b)), ed25519.SeedSize)))
	signer, err := seal.NewSigner(key)
	if err != nil {
		t.Fatal(err)
	}
	return signer, key.Public().(ed25519.PublicKey)
}

// TestPreAuthEncoding has the example of the DSSE protocol itself, and holds that no
// two pairs of short types and payloads have one encoding.
func TestPreAuthEncoding(t *testing.T) {
	got := seal.PreAuthEncoding("http://example.com/HelloWorld", []byte("hello world"))
	if want := "DSSEv1 29 http://example.com/HelloWorld 11 hello world"; string(got) != want {
		t.Errorf("%q, want %q", got, want)
	}
	parts := []string{"", " ", "0", "1", "1 ", " 1", "0 ", " 0 ", "1 1", "é"}
	seen := map[string]string{}
	for _, kind := range parts {
		for _, payload := range parts {
			pair := fmt.Sprintf("%q %q", kind, payload)
			encoded := string(seal.PreAuthEncoding(kind, []byte(payload)))
			if other, ok := seen[encoded]; ok {
				t.Errorf("%s and %s are both %q", pair, other, encoded)
			}
			seen[encoded] = pair
		}
	}
}

// TestSignature signs and checks through the interfaces, with both kinds of keys.
func TestSignature(t *testing.T) {
	own, key := testSigner(t, 'a')
	_, otherKey := testSigner(t, 'b')
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	second, err := seal.NewSigner(curve)
	if err != nil {
		t.Fatal(err)
	}
	message := seal.PreAuthEncoding("text/plain", []byte("x"))
	changed := seal.PreAuthEncoding("text/html", []byte("x"))
	for _, c := range []struct {
		name   string
		signer evidence.Signer
		key    crypto.PublicKey
		signed []byte
		cut    int
		want   error
	}{
		{"good", own, key, message, 0, nil},
		{"good, ECDSA", second, curve.Public(), message, 0, nil},
		{"another key", own, otherKey, message, 0, evidence.ErrBadSignature},
		{"a key of another kind", second, key, message, 0, evidence.ErrBadSignature},
		{"another payload type", own, key, changed, 0, evidence.ErrBadSignature},
		{"another payload type, ECDSA", second, curve.Public(), changed, 0, evidence.ErrBadSignature},
		{"half a signature", own, key, message, 32, evidence.ErrBadSignature},
		{"no signature", own, key, message, 64, evidence.ErrBadSignature},
	} {
		signature, err := c.signer.Sign(t.Context(), c.signed)
		if err != nil {
			t.Fatal(err)
		}
		verifier, err := seal.NewVerifier(c.key)
		if err != nil {
			t.Fatal(err)
		}
		err = verifier.Verify(t.Context(), message, signature[:len(signature)-c.cut])
		if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// TestSigningIsCancelled holds that a run which is over neither signs nor vouches.
func TestSigningIsCancelled(t *testing.T) {
	signer, key := testSigner(t, 'a')
	verifier, err := seal.NewVerifier(key)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := signer.Sign(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := signer.Sign(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("signing: %v", err)
	}
	if err := verifier.Verify(ctx, nil, signature); !errors.Is(err, context.Canceled) {
		t.Errorf("checking: %v", err)
	}
}

func TestKeyLengths(t *testing.T) {
	if _, err := seal.NewSigner(ed25519.PrivateKey(make([]byte, 32))); err == nil || err.Error() != "ed25519 private key of 32 bytes, expected 64" {
		t.Error(err)
	}
	if _, err := seal.NewVerifier(ed25519.PublicKey(make([]byte, 31))); err == nil || err.Error() != "ed25519 public key of 31 bytes, expected 32" {
		t.Error(err)
	}
}

// TestKeyID compares the id with one over the library's encoding of the key.
func TestKeyID(t *testing.T) {
	for b := range byte(100) {
		signer, key := testSigner(t, b)
		encoded, err := x509.MarshalPKIXPublicKey(key)
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("sha256:%x", sha256.Sum256(encoded)); signer.KeyID() != want || seal.KeyID(key) != want {
			t.Fatalf("key id %s, want %s", signer.KeyID(), want)
		}
	}
}

// TestMandateGoldens compares with what another implementation encoded and signed.
func TestMandateGoldens(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own cases ran")
		return
	}
	text, err := os.ReadFile(root + "/evidence/digests/mandate-goldens.json")
	if err != nil {
		t.Fatal(err)
	}
	var goldens struct {
		TestKey struct {
			ID   string `json:"key_id"`
			Seed string `json:"seed_hex"`
		} `json:"test_key"`
		Vectors []struct {
			Name      string
			Payload   string `json:"signable_canonical_jcs"`
			Encoded   []byte `json:"expected_pae_b64"`
			Signature struct {
				PayloadType string `json:"payload_type"`
				KeyID       string `json:"key_id"`
				Signature   string `json:"expected_signature_b64"`
			}
		}
	}
	if err := json.Unmarshal(text, &goldens); err != nil || len(goldens.Vectors) == 0 {
		t.Fatal(err, len(goldens.Vectors))
	}
	seed, err := hex.DecodeString(goldens.TestKey.Seed)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := seal.NewSigner(ed25519.NewKeyFromSeed(seed))
	if err != nil || signer.KeyID() != goldens.TestKey.ID {
		t.Fatal(err, signer.KeyID())
	}
	for _, v := range goldens.Vectors {
		message := seal.PreAuthEncoding(v.Signature.PayloadType, []byte(v.Payload))
		signature, err := signer.Sign(t.Context(), message)
		if err != nil {
			t.Fatal(err)
		}
		if got := base64.StdEncoding.EncodeToString(signature); string(message) != string(v.Encoded) || got != v.Signature.Signature || signer.KeyID() != v.Signature.KeyID {
			t.Errorf("%s: %s over %q, want %s over %q", v.Name, got, message, v.Signature.Signature, v.Encoded)
		}
	}
	t.Logf("%d signatures", len(goldens.Vectors))
}
