package seal

import (
	"context"
	"crypto/ed25519"
	"fmt"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/say"
)

// KeyID returns the id of an Ed25519 public key: the SHA-256, in text form, of its
// SubjectPublicKeyInfo (RFC 8410). For a key in a PEM file:
//
//	openssl pkey -pubin -in key.pem -outform DER | sha256sum
func KeyID(key ed25519.PublicKey) string {
	// The encoding has one form: a fixed start, then the 32 bytes of the key.
	const start = "\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00"
	return digest.Of(append([]byte(start), key...)).String()
}

// Signer is an [evidence.Signer] with an Ed25519 key in memory.
type Signer struct {
	key ed25519.PrivateKey
	id  string
}

// NewSigner returns a signer. The error is about the key's length.
func NewSigner(key ed25519.PrivateKey) (*Signer, error) {
	if len(key) != ed25519.PrivateKeySize {
		return nil, fmt.Errorf("ed25519 private key of %d bytes, expected %d", len(key), ed25519.PrivateKeySize)
	}
	return &Signer{key, KeyID(key.Public().(ed25519.PublicKey))}, nil
}

// KeyID returns the id of the key's public half.
func (s *Signer) KeyID() string { return s.id }

// Sign signs at once; its only error is ctx's.
func (s *Signer) Sign(ctx context.Context, message []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return ed25519.Sign(s.key, message), nil
}

// Verifier is an [evidence.Verifier] with a list of trusted Ed25519 keys.
type Verifier struct {
	keys map[string]ed25519.PublicKey
}

// NewVerifier returns a verifier that trusts the keys. The error is about the
// length of one of them.
func NewVerifier(keys ...ed25519.PublicKey) (*Verifier, error) {
	v := &Verifier{keys: make(map[string]ed25519.PublicKey, len(keys))}
	for _, key := range keys {
		if len(key) != ed25519.PublicKeySize {
			return nil, fmt.Errorf("ed25519 public key of %d bytes, expected %d", len(key), ed25519.PublicKeySize)
		}
		v.keys[KeyID(key)] = key
	}
	return v, nil
}

// previewBytes is how much of an unknown key's id a message repeats: an id of this
// package is shown whole.
const previewBytes = 80

// Verify answers at once: with nil, [evidence.ErrUnknownKey] or
// [evidence.ErrBadSignature], or ctx's error. A signature need not name its key: with ""
// it is tried with the only key that is trusted.
func (v *Verifier) Verify(ctx context.Context, keyID string, message, signature []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	key, ok := v.find(keyID)
	switch {
	case !ok:
		return fmt.Errorf("%w %q", evidence.ErrUnknownKey, say.Preview(keyID, previewBytes))
	case !ed25519.Verify(key, message, signature):
		return evidence.ErrBadSignature
	}
	return nil
}

func (v *Verifier) find(keyID string) (key ed25519.PublicKey, ok bool) {
	if keyID == "" && len(v.keys) == 1 {
		for _, key = range v.keys {
			return key, true
		}
	}
	key, ok = v.keys[keyID]
	return key, ok
}
