package seal

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"

	"github.com/cupel-dev/cupel/internal/say"
)

// The types of the PEM blocks that keys stand in.
const (
	privateBlock = "PRIVATE KEY" // PKCS#8, RFC 5958
	publicBlock  = "PUBLIC KEY"  // SubjectPublicKeyInfo, RFC 8410
)

// GenerateKey returns a new private key from the system's source of randomness.
func GenerateKey() ed25519.PrivateKey {
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		panic("seal: " + err.Error()) // crypto/rand ends the process before it fails
	}
	return key
}

// EncodePrivateKey returns the PEM text of a private key, in PKCS#8 and not encrypted:
// what `openssl genpkey -algorithm ed25519` writes.
func EncodePrivateKey(key ed25519.PrivateKey) []byte {
	return encode(privateBlock, x509.MarshalPKCS8PrivateKey, any(key))
}

// EncodePublicKey returns the PEM text of a public key, in SubjectPublicKeyInfo: what
// `openssl pkey -pubout` writes.
func EncodePublicKey(key ed25519.PublicKey) []byte {
	return encode(publicBlock, x509.MarshalPKIXPublicKey, any(key))
}

func encode(block string, marshal func(any) ([]byte, error), key any) []byte {
	der, err := marshal(key)
	if err != nil {
		panic("seal: " + err.Error()) // an Ed25519 key of any content has an encoding
	}
	return pem.EncodeToMemory(&pem.Block{Type: block, Bytes: der})
}

// ParsePrivateKey reads the PEM text of a private Ed25519 key in PKCS#8. The error says
// what the text holds instead, and never repeats it.
func ParsePrivateKey(text []byte) (ed25519.PrivateKey, error) {
	return parse[ed25519.PrivateKey](text, privateBlock, x509.ParsePKCS8PrivateKey)
}

// ParsePublicKey reads the PEM text of a public Ed25519 key in SubjectPublicKeyInfo. The
// error says what the text holds instead.
func ParsePublicKey(text []byte) (ed25519.PublicKey, error) {
	return parse[ed25519.PublicKey](text, publicBlock, x509.ParsePKIXPublicKey)
}

func parse[K any](text []byte, want string, read func([]byte) (any, error)) (key K, err error) {
	block, rest := pem.Decode(text)
	switch {
	case block == nil:
		return key, fmt.Errorf("no PEM block, expected \"BEGIN %s\"", want)
	case block.Type != want:
		return key, fmt.Errorf("a PEM block %s, expected %q", say.Quoted(block.Type), want)
	case len(bytes.TrimSpace(rest)) > 0:
		return key, errors.New("more after the first PEM block, expected one key alone")
	}
	found, err := read(block.Bytes)
	if err != nil {
		return key, fmt.Errorf("a PEM block %q that cannot be read: %w", want, err)
	}
	key, ok := found.(K)
	if !ok {
		return key, fmt.Errorf("a key of the type %T, expected Ed25519", found)
	}
	return key, nil
}
