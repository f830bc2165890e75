// Package siphash implements SipHash-2-4, a 64-bit hash with a 128-bit secret key. Without the key,
// collisions cannot be constructed; with it, other processes compute the same hash.
//
// Under the key 00 01 … 0f the text 00 01 … 0e has the hash 0xa129ca6149be45e5 (Aumasson and
// Bernstein, "SipHash: a fast short-input PRF", appendix A).
package siphash

import (
	"crypto/rand"
	"encoding/binary"
	"math/bits"
)

// Key is a secret key as two little-endian numbers.
type Key [2]uint64

// NewKey returns a key of random bytes.
func NewKey() Key {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return Key{binary.LittleEndian.Uint64(b[:8]), binary.LittleEndian.Uint64(b[8:])}
}

// Sum64 returns the hash of a text.
func (k Key) Sum64(text []byte) uint64 {
	v0, v1 := k[0]^0x736f6d6570736575, k[1]^0x646f72616e646f6d
	v2, v3 := k[0]^0x6c7967656e657261, k[1]^0x7465646279746573
	last := uint64(len(text)) << 56
	for ; len(text) >= 8; text = text[8:] {
		m := binary.LittleEndian.Uint64(text)
		v3 ^= m
		v0, v1, v2, v3 = round(v0, v1, v2, v3)
		v0, v1, v2, v3 = round(v0, v1, v2, v3)
		v0 ^= m
	}
	for i, b := range text {
		last |= uint64(b) << (8 * i)
	}
	v3 ^= last
	v0, v1, v2, v3 = round(v0, v1, v2, v3)
	v0, v1, v2, v3 = round(v0, v1, v2, v3)
	v0 ^= last
	v2 ^= 0xff
	for range 4 {
		v0, v1, v2, v3 = round(v0, v1, v2, v3)
	}
	return v0 ^ v1 ^ v2 ^ v3
}

func round(v0, v1, v2, v3 uint64) (uint64, uint64, uint64, uint64) {
	v0 += v1
	v1 = bits.RotateLeft64(v1, 13) ^ v0
	v0 = bits.RotateLeft64(v0, 32)
	v2 += v3
	v3 = bits.RotateLeft64(v3, 16) ^ v2
	v0 += v3
	v3 = bits.RotateLeft64(v3, 21) ^ v0
	v2 += v1
	v1 = bits.RotateLeft64(v1, 17) ^ v2
	v2 = bits.RotateLeft64(v2, 32)
	return v0, v1, v2, v3
}
