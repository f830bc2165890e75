package session

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"

	"github.com/cupel-dev/cupel/internal/digest"
)

// sessionDigest is a running SHA-256 over the session id and the hex digits of each event hash.
type sessionDigest struct{ hash.Hash }

func newSessionDigest() sessionDigest { return sessionDigest{sha256.New()} }

func (d sessionDigest) begin(e *event) { d.Write([]byte(e.stringOf(sessionID))) }

func (d sessionDigest) add(e *event) {
	var scratch [hashDigits]byte
	d.Write(e.appendHash(scratch[:0]))
}

// hashDigits is the length of a hash in hex digits.
const hashDigits = 2 * sha256.Size

// appendHash appends the event's hash as written in the log, even if malformed.
func (e *event) appendHash(dst []byte) []byte {
	switch {
	case e.told != nil && e.hash.proper:
		return e.hash.AppendHex(dst)
	case e.told == nil && e.plain(eventHash):
		raw := e.raw(eventHash)
		return append(dst, raw[1:len(raw)-1]...)
	}
	return append(dst, e.stringOf(eventHash)...)
}

// digestVerdict tells how a session_digest was computed: by one of four known constructions, as another hash, or
// not as a hash.
type digestVerdict uint8

const (
	digestMatches digestVerdict = iota
	digestDiffers
	digestUnrecognised
)

// judge compares a session_digest with the hash before the seal, its first 16 digits, and the digest over the
// session id, all hashes and the last hash again.
func (d sessionDigest) judge(text string, last link) digestVerdict {
	bare := strings.TrimPrefix(text, digest.Prefix)
	switch {
	case isHashBefore(text, last):
		return digestMatches
	case !digest.IsHex([]byte(bare)):
		return digestUnrecognised
	case bare == d.with(last):
		return digestMatches
	}
	return digestDiffers
}

// isHashBefore reports whether a session_digest is the hash before the seal or the start of it.
func isHashBefore(text string, last link) bool {
	hash := last.String()
	return strings.TrimPrefix(text, digest.Prefix) == hash || len(text) == 16 && strings.HasPrefix(hash, text)
}

// isOfAll reports whether identifying a session_digest requires the digest over all hashes.
func isOfAll(text string, last link) bool {
	return !isHashBefore(text, last) && digest.IsHex([]byte(strings.TrimPrefix(text, digest.Prefix)))
}

// with returns the digest over all hashes so far and the last hash again.
func (d sessionDigest) with(last link) string {
	clone, err := d.Hash.(hash.Cloner).Clone()
	if err != nil {
		panic("session.sessionDigest: " + err.Error()) // SHA-256 always clones
	}
	clone.Write([]byte(last.String()))
	return hex.EncodeToString(clone.Sum(nil))
}

// sums returns the state of the digest, for load.
func (d sessionDigest) sums() ([]byte, error) {
	return d.Hash.(encoding.BinaryMarshaler).MarshalBinary()
}

func (d sessionDigest) load(sums []byte) error {
	if err := d.Hash.(encoding.BinaryUnmarshaler).UnmarshalBinary(sums); err != nil {
		return fmt.Errorf("the state cannot be used: %w", err)
	}
	return nil
}

// macMatches checks a seal's HMAC: lower-case hex HMAC-SHA256 over the 64 digits of the hash before the seal. The
// key is tried with and without the final line end of the key file.
func macMatches(key []byte, mac string, last link) bool {
	trimmed := strings.TrimSuffix(strings.TrimSuffix(string(key), "\n"), "\r")
	for _, k := range [][]byte{key, []byte(trimmed)} {
		h := hmac.New(sha256.New, k)
		h.Write([]byte(last.String()))
		if hmac.Equal([]byte(hex.EncodeToString(h.Sum(nil))), []byte(mac)) {
			return true
		}
	}
	return false
}
