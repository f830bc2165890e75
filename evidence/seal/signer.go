package seal

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"fmt"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/digest"
)

// KeyID returns a public key's id: the SHA-256, in text form, of its SubjectPublicKeyInfo. For a PEM file:
//
//	openssl pkey -pubin -in key.pem -outform DER | sha256sum
//
// It is "" for a key that [NewVerifier] rejects.
func KeyID(key crypto.PublicKey) string {
	if checkKey(key) != nil {
		return ""
	}
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return ""
	}
	return digest.Of(der).String()
}

// checkKey returns an error unless the key is Ed25519 or ECDSA P-256.
func checkKey(key crypto.PublicKey) error {
	switch key := key.(type) {
	case ed25519.PublicKey:
		if len(key) != ed25519.PublicKeySize {
			return fmt.Errorf("ed25519 public key of %d bytes, expected %d", len(key), ed25519.PublicKeySize)
		}
	case *ecdsa.PublicKey:
		if key.Curve != elliptic.P256() {
			return fmt.Errorf("an ECDSA key on the curve %s, expected P-256", key.Curve.Params().Name)
		}
	default:
		return fmt.Errorf("a key of the type %T, expected Ed25519 or ECDSA P-256", key)
	}
	return nil
}

// Signer is an [evidence.Signer] with a key in memory.
type Signer struct {
	key crypto.Signer
	id  string
}

// NewSigner returns a signer for an Ed25519 or ECDSA P-256 key. The error reports an unsuitable key.
func NewSigner(key crypto.Signer) (*Signer, error) {
	if private, ok := key.(ed25519.PrivateKey); ok && len(private) != ed25519.PrivateKeySize {
		return nil, fmt.Errorf("ed25519 private key of %d bytes, expected %d", len(private), ed25519.PrivateKeySize)
	}
	if err := checkKey(key.Public()); err != nil {
		return nil, err
	}
	return &Signer{key, KeyID(key.Public())}, nil
}

// KeyID returns the id of the key's public half.
func (s *Signer) KeyID() string { return s.id }

// Sign signs the message with Ed25519, or its SHA-256 with ECDSA (in ASN.1).
func (s *Signer) Sign(ctx context.Context, message []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if _, ok := s.key.(ed25519.PrivateKey); ok {
		return s.key.Sign(nil, message, crypto.Hash(0))
	}
	sum := sha256.Sum256(message)
	return s.key.Sign(rand.Reader, sum[:], crypto.SHA256)
}

// Verifier is an [evidence.Verifier] with a key in memory.
type Verifier struct {
	key crypto.PublicKey
	id  string
}

// NewVerifier returns a verifier for an Ed25519 or ECDSA P-256 key. The error reports an unsuitable key.
func NewVerifier(key crypto.PublicKey) (*Verifier, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	return &Verifier{key, KeyID(key)}, nil
}

// KeyID returns the id of the key.
func (v *Verifier) KeyID() string { return v.id }

// Verify returns nil, [evidence.ErrBadSignature] or ctx's error.
func (v *Verifier) Verify(ctx context.Context, message, signature []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	good := false
	switch key := v.key.(type) {
	case ed25519.PublicKey:
		good = ed25519.Verify(key, message, signature)
	case *ecdsa.PublicKey:
		sum := sha256.Sum256(message)
		good = ecdsa.VerifyASN1(key, sum[:], signature)
	}
	if !good {
		return evidence.ErrBadSignature
	}
	return nil
}
