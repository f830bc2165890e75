package session

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/siphash"
)

// idSum is an event id in a summary: the bytes of a lower-case UUID (RFC 9562), recognized by its variant bits, or
// the SHA-256 of any other text except for four bits. It is the same in all processes and collision-resistant.
type idSum [16]byte

// The variant of a UUID is in the top bits of its ninth byte.
const (
	variantByte = 8
	variantBits = 0xc0
	rfc9562     = 0x80
)

func idSumOf(id []byte) (s idSum, own bool) {
	if s, ok := uuidOf(id); ok && s[variantByte]&variantBits == rfc9562 {
		return s, true
	}
	sum := sha256.Sum256(id)
	s = idSum(sum[:])
	s[variantByte] &^= variantBits
	return s, false
}

// uuidOf parses a lower-case UUID.
func uuidOf(text []byte) (s idSum, ok bool) {
	words, ok := uuidWords(text)
	if !ok {
		return s, false
	}
	for i, word := range words {
		four, lower := digest.FromDigits(word)
		ok = ok && lower
		binary.LittleEndian.PutUint32(s[4*i:], four)
	}
	return s, ok
}

// key returns the keyed hash of the sum, for an idSet.
func (s idSum) key(keys siphash.Key) uint64 {
	high, low := bits.Mul64(binary.LittleEndian.Uint64(s[:])^keys[0], binary.LittleEndian.Uint64(s[8:])^keys[1])
	return high ^ low
}
