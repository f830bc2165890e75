package seal_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"strings"
	"testing"

	"github.com/youmark/pkcs8"
	"golang.org/x/crypto/ssh"

	"github.com/cupel-dev/cupel/evidence/seal"
)

// TestKeyForms reads a key of each kind in each form that tools write, encrypted or not.
func TestKeyForms(t *testing.T) {
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	block := func(kind string) func(der []byte, err error) []byte {
		return func(der []byte, err error) []byte {
			if err != nil {
				t.Fatal(err)
			}
			return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
		}
	}
	encoded := func(b *pem.Block, err error) []byte {
		if err != nil {
			t.Fatal(err)
		}
		return pem.EncodeToMemory(b)
	}
	password := []byte("päss word")
	for _, key := range []crypto.Signer{seal.GenerateKey(), curve} {
		public, err := ssh.NewPublicKey(key.Public())
		if err != nil {
			t.Fatal(err)
		}
		want := seal.KeyID(key.Public())
		der, err := x509.MarshalPKIXPublicKey(key.Public())
		for _, text := range [][]byte{block("PUBLIC KEY")(der, err), ssh.MarshalAuthorizedKey(public), []byte(strings.TrimSpace(string(ssh.MarshalAuthorizedKey(public))) + " a name\n\n")} {
			if found, err := seal.ParsePublicKey(text); err != nil || seal.KeyID(found) != want {
				t.Errorf("%T: %v\n%s", key, err, text)
			}
		}
		plain := [][]byte{block("PRIVATE KEY")(x509.MarshalPKCS8PrivateKey(key)), encoded(ssh.MarshalPrivateKey(key, "a name"))}
		if key == crypto.Signer(curve) {
			plain = append(plain, block("EC PRIVATE KEY")(x509.MarshalECPrivateKey(curve)))
		}
		for _, text := range plain {
			if found, err := seal.ParsePrivateKey(text, nil); err != nil || seal.KeyID(found.Public()) != want {
				t.Errorf("%T: %v\n%s", key, err, text)
			}
		}
		for _, text := range [][]byte{
			block("ENCRYPTED PRIVATE KEY")(pkcs8.MarshalPrivateKey(key, password, nil)), encoded(ssh.MarshalPrivateKeyWithPassphrase(key, "", password)),
		} {
			if found, err := seal.ParsePrivateKey(text, password); err != nil || seal.KeyID(found.Public()) != want {
				t.Errorf("%T: %v\n%s", key, err, text)
			}
			for _, wrong := range [][]byte{nil, {}, []byte("another")} {
				if _, err := seal.ParsePrivateKey(text, wrong); !errors.Is(err, seal.ErrPassword) {
					t.Errorf("%T with the password %q: %v", key, wrong, err)
				}
			}
		}
	}
	large, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := seal.ParsePrivateKey(block("PRIVATE KEY")(x509.MarshalPKCS8PrivateKey(large)), nil); err == nil || err.Error() != "an ECDSA key on the curve P-384, expected P-256" {
		t.Error(err)
	}
}

// TestThreshold counts keys, however many signatures there are of each.
func TestThreshold(t *testing.T) {
	r := readRecorded(t)
	text, err := json.Marshal(r.statement(t, false))
	if err != nil {
		t.Fatal(err)
	}
	own, key := testSigner(t, 'a')
	second, otherKey := testSigner(t, 'b')
	_, third := testSigner(t, 'c')
	sign := func(s *seal.Signer) map[string]any {
		sig, err := s.Sign(t.Context(), pae(seal.PayloadType, string(text)))
		if err != nil {
			t.Fatal(err)
		}
		return map[string]any{"sig": base64.StdEncoding.EncodeToString(sig)}
	}
	a, b := sign(own), sign(second)
	for _, c := range []struct {
		name       string
		signatures []any
		keys       []crypto.PublicKey
		threshold  int
		want       string
	}{
		{"one of one", []any{a}, []crypto.PublicKey{key}, 0, ""},
		{"one of two", []any{a}, []crypto.PublicKey{key, otherKey}, 1, ""},
		{"two of two", []any{b, a}, []crypto.PublicKey{key, otherKey}, 2, ""},
		{"one key twice", []any{a, a}, []crypto.PublicKey{key, otherKey}, 2, "AttestationSignature"},
		{"one key named twice", []any{a, a}, []crypto.PublicKey{key, key}, 2, "AttestationSignature"},
		{"two of three", []any{a, b}, []crypto.PublicKey{third, otherKey, key}, 2, ""},
		{"none", []any{b}, []crypto.PublicKey{key}, 1, "AttestationSignature"},
	} {
		trust := verifierOf(t, c.keys...)
		trust.Threshold = c.threshold
		if got := faultOf(t, envelopeOf(t, seal.PayloadType, text, c.signatures...), trust); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// unreachable is a verifier that has no answer.
type unreachable struct{}

func (unreachable) KeyID() string                                { return "sha256:x" }
func (unreachable) Verify(context.Context, []byte, []byte) error { return errElsewhere }

// TestNoAnswer checks that an error of the verifier is not a bad signature.
func TestNoAnswer(t *testing.T) {
	text, trusted := sealed(t, seal.PayloadType, "{}")
	trusted.Keys[0] = unreachable{}
	if _, _, err := seal.Open(t.Context(), text, trusted); !errors.Is(err, errElsewhere) {
		t.Error(err)
	}
}

// TestCompatibleGit accepts an attestation without the producer's git on demand.
func TestCompatibleGit(t *testing.T) {
	r := readRecorded(t)
	doc := r.statement(t, false)
	drop("predicate/run/producer/git")(doc)
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	envelope, trusted := sealed(t, seal.PayloadType, string(text))
	trusted.WithoutGit = true
	a, fault, err := seal.Open(t.Context(), envelope, trusted)
	if err != nil || fault != nil || !a.WithoutGit || len(a.Compare(r.facts(t, "x", false))) > 0 {
		t.Error(a, fault, err)
	}
}
