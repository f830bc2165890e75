package seal

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"

	"github.com/youmark/pkcs8"
	"golang.org/x/crypto/ssh"

	"github.com/cupel-dev/cupel/internal/say"
)

// The types of the PEM blocks of keys.
const (
	privateBlock   = "PRIVATE KEY"           // PKCS#8, RFC 5958
	encryptedBlock = "ENCRYPTED PRIVATE KEY" // PKCS#8, RFC 5958
	ecBlock        = "EC PRIVATE KEY"        // RFC 5915
	sshBlock       = "OPENSSH PRIVATE KEY"   // PROTOCOL.key of OpenSSH
	publicBlock    = "PUBLIC KEY"            // SubjectPublicKeyInfo, RFC 8410
)

// ErrPassword is returned for an encrypted private key if the password is missing or wrong.
var ErrPassword = errors.New("the private key is encrypted")

// GenerateKey returns a new private key from the system's source of randomness.
func GenerateKey() ed25519.PrivateKey {
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		panic("seal: " + err.Error()) // crypto/rand ends the process before it fails
	}
	return key
}

// EncodePrivateKey returns an unencrypted PKCS#8 PEM text, like `openssl genpkey -algorithm ed25519`.
func EncodePrivateKey(key ed25519.PrivateKey) []byte {
	return encode(privateBlock, x509.MarshalPKCS8PrivateKey, any(key))
}

// EncodePublicKey returns a SubjectPublicKeyInfo PEM text, like `openssl pkey -pubout`.
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

// ParsePrivateKey parses an Ed25519 or ECDSA P-256 key in PEM: PKCS#8 (encrypted or not), EC PRIVATE KEY, or OpenSSH.
// password is for an encrypted key, or nil. The error is [ErrPassword], or describes the text without repeating it.
func ParsePrivateKey(text, password []byte) (crypto.Signer, error) {
	block, err := onePEM(text, privateBlock, encryptedBlock, ecBlock, sshBlock)
	if err != nil {
		return nil, err
	}
	found, err := decodePrivate(block, password)
	if err != nil {
		return nil, err
	}
	if key, ok := found.(*ed25519.PrivateKey); ok { // as OpenSSH's are read
		found = *key
	}
	key, ok := found.(crypto.Signer)
	if !ok {
		return nil, checkKey(found)
	}
	return key, checkKey(key.Public())
}

func decodePrivate(block *pem.Block, password []byte) (any, error) {
	if block.Type == encryptedBlock {
		if password == nil {
			return nil, ErrPassword
		}
		key, _, err := pkcs8.ParsePrivateKey(block.Bytes, password)
		if err != nil {
			return nil, notOpened(err)
		}
		return key, nil
	}
	text := pem.EncodeToMemory(block)
	key, err := ssh.ParseRawPrivateKey(text)
	var missing *ssh.PassphraseMissingError
	if errors.As(err, &missing) {
		if password == nil {
			return nil, ErrPassword
		}
		if key, err = ssh.ParseRawPrivateKeyWithPassphrase(text, password); err != nil {
			return nil, notOpened(err)
		}
	}
	if err != nil {
		return nil, unreadable(block, err)
	}
	return key, nil
}

func notOpened(err error) error {
	return fmt.Errorf("%w, and the password does not decrypt it: %w", ErrPassword, err)
}

func unreadable(block *pem.Block, err error) error {
	return fmt.Errorf("cannot read the PEM block %q: %w", block.Type, err)
}

// ParsePublicKey parses an Ed25519 or ECDSA P-256 key: a SubjectPublicKeyInfo in PEM, or an OpenSSH
// line such as "ssh-ed25519 AAAA… name". The error describes the text.
func ParsePublicKey(text []byte) (crypto.PublicKey, error) {
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("ssh-")) || bytes.HasPrefix(bytes.TrimSpace(text), []byte("ecdsa-")) {
		return parseLine(text)
	}
	block, err := onePEM(text, publicBlock)
	if err != nil {
		return nil, err
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, unreadable(block, err)
	}
	return key, checkKey(key)
}

func parseLine(text []byte) (crypto.PublicKey, error) {
	key, _, _, rest, err := ssh.ParseAuthorizedKey(text)
	if err != nil {
		return nil, fmt.Errorf("cannot read the OpenSSH public key: %w", err)
	}
	if len(bytes.TrimSpace(rest)) > 0 {
		return nil, errors.New("more data follows the first line, expected one key")
	}
	found, ok := key.(ssh.CryptoPublicKey)
	if !ok {
		return nil, checkKey(key)
	}
	return found.CryptoPublicKey(), checkKey(found.CryptoPublicKey())
}

func onePEM(text []byte, types ...string) (*pem.Block, error) {
	block, rest := pem.Decode(text)
	switch {
	case block == nil:
		return nil, fmt.Errorf("no PEM block, expected \"BEGIN %s\"", types[0])
	case !slices.Contains(types, block.Type):
		return nil, fmt.Errorf("a PEM block %s, expected %q", say.Quoted(block.Type), types[0])
	case len(bytes.TrimSpace(rest)) > 0:
		return nil, errors.New("more data follows the first PEM block, expected one key")
	}
	return block, nil
}
