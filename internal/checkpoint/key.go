// Package checkpoint reads, writes and judges the signed tree heads of the C2SP specifications: tlog-checkpoint,
// signed-note, tlog-cosignature, tlog-policy and tlog-proof. Package golang.org/x/mod/sumdb reads and checks the notes
// and proofs; this package adds cosignatures, policies and what a text must be to be accepted.
package checkpoint

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/note"

	"github.com/cupel-dev/cupel/internal/say"
)

// The types of keys.
const (
	typeLog      = 0x01 // Ed25519
	typeCosigner = 0x04 // Ed25519 with a time
	typeMLDSA    = 0x06 // ML-DSA-44 with a time; there is no implementation to check it
)

// keySizes are the lengths of public keys.
var keySizes = map[byte]int{typeLog: ed25519.PublicKeySize, typeCosigner: ed25519.PublicKeySize, typeMLDSA: 1312}

// Key is a public key with its name, parsed from a vkey.
type Key struct {
	name   string
	id     uint32
	kind   byte
	public string // the bytes of the key
}

// ParseKey parses a vkey, NAME+ID+BASE64. The key id must match, and the base64 must have its usual form.
func ParseKey(vkey string) (Key, error) {
	name, rest, _ := strings.Cut(vkey, "+")
	digits, text, ok := strings.Cut(rest, "+")
	if !ok {
		return Key{}, fmt.Errorf("%s is not a vkey, expected NAME+ID+KEY", say.Quoted(vkey))
	}
	if err := CheckName(name); err != nil {
		return Key{}, err
	}
	data, err := decode(text)
	if err != nil || len(data) == 0 || keySizes[data[0]] != len(data)-1 {
		return Key{}, fmt.Errorf("%s: expected the base64 of a key: Ed25519 (type 1 or 4) or ML-DSA-44 (type 6)", say.Quoted(vkey))
	}
	k := newKey(name, data[0], data[1:])
	if want := fmt.Sprintf("%08x", k.id); digits != want {
		return Key{}, fmt.Errorf("%s: the key id is %s, expected %s", say.Quoted(vkey), say.Quoted(digits), want)
	}
	return k, nil
}

// CheckName returns an error unless a name can be that of a key and the origin of a log.
func CheckName(name string) error {
	odd := func(r rune) bool {
		return r == '+' || r == utf8.RuneError || unicode.IsSpace(r) || unicode.IsControl(r)
	}
	if name == "" || strings.ContainsFunc(name, odd) {
		return fmt.Errorf("%s cannot be a name: expected characters other than spaces and +", say.Quoted(name))
	}
	return nil
}

func newKey(name string, kind byte, public []byte) Key {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%c", name, kind)
	h.Write(public)
	return Key{name, binary.BigEndian.Uint32(h.Sum(nil)), kind, string(public)}
}

// LogKey returns the key under which a log signs.
func LogKey(name string, public ed25519.PublicKey) Key { return newKey(name, typeLog, public) }

// CosignerKey returns the key under which a witness signs.
func CosignerKey(name string, public ed25519.PublicKey) Key {
	return newKey(name, typeCosigner, public)
}

// String returns the vkey.
func (k Key) String() string {
	id := binary.BigEndian.AppendUint32(nil, k.id)
	return k.name + "+" + hex.EncodeToString(id) + "+" + base64.StdEncoding.EncodeToString(append([]byte{k.kind}, k.public...))
}

// Name implements note.Verifier and note.Signer.
func (k Key) Name() string { return k.name }

// KeyHash implements note.Verifier and note.Signer.
func (k Key) KeyHash() uint32 { return k.id }

// Verify implements note.Verifier.
func (k Key) Verify(text, signature []byte) bool {
	switch k.kind {
	case typeLog:
		return ed25519.Verify([]byte(k.public), text, signature)
	case typeCosigner:
		seconds, ok := cosignedAt(signature)
		return ok && ed25519.Verify([]byte(k.public), cosigned(seconds, text), signature[8:])
	}
	return false
}

// cosignedAt returns the time of a cosignature.
func cosignedAt(signature []byte) (seconds int64, ok bool) {
	if len(signature) != 8+ed25519.SignatureSize {
		return 0, false
	}
	seconds = int64(binary.BigEndian.Uint64(signature))
	return seconds, seconds >= 0
}

// cosigned returns the bytes that a cosignature of type 4 signs.
func cosigned(seconds int64, text []byte) []byte {
	return append([]byte("cosignature/v1\ntime "+strconv.FormatInt(seconds, 10)+"\n"), text...)
}

// signer signs notes as a log or, with a time, as a witness.
type signer struct {
	Key
	private ed25519.PrivateKey
	seconds int64
}

func (s signer) Sign(text []byte) ([]byte, error) {
	if s.kind == typeLog {
		return ed25519.Sign(s.private, text), nil
	}
	time := binary.BigEndian.AppendUint64(nil, uint64(s.seconds))
	return append(time, ed25519.Sign(s.private, cosigned(s.seconds, text))...), nil
}

// Sign returns the checkpoint of a tree, signed by its log. The name of the key is the origin.
func Sign(h Head, private ed25519.PrivateKey) ([]byte, error) {
	if err := CheckName(h.Origin); err != nil {
		return nil, err
	}
	return note.Sign(&note.Note{Text: h.text()}, signer{Key: LogKey(h.Origin, private.Public().(ed25519.PublicKey)), private: private})
}

// Cosign returns a checkpoint with another cosignature. An earlier one of the same key is replaced.
func (c *Checkpoint) Cosign(name string, private ed25519.PrivateKey, at time.Time) ([]byte, error) {
	key := CosignerKey(name, private.Public().(ed25519.PublicKey))
	n := &note.Note{Text: c.text()}
	for _, s := range c.signatures {
		n.UnverifiedSigs = append(n.UnverifiedSigs, note.Signature{Name: s.name, Hash: s.id, Base64: s.base64})
	}
	return note.Sign(n, signer{key, private, at.Unix()})
}

// decode decodes base64 in its one usual form: with padding, and without set bits beyond the data.
func decode(text string) ([]byte, error) {
	data, err := base64.StdEncoding.DecodeString(text)
	if err == nil && base64.StdEncoding.EncodeToString(data) != text {
		err = errors.New("the base64 is not in its usual form")
	}
	return data, err
}

// Keys are public keys, those of one log or its witnesses.
type Keys []Key

func (list Keys) names() (names []string) {
	for _, k := range list {
		names = append(names, k.name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
