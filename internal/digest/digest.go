// Package digest implements the text form of hashes: "sha256:" and 64 lower-case hexadecimal digits. To reproduce:
//
//	printf '{"a":1}' | sha256sum
package digest

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"encoding/hex"
)

// Prefix starts the text form of a digest.
const Prefix = "sha256:"

// TextLen is the length of the text form in bytes.
const TextLen = len(Prefix) + 2*sha256.Size

// Sum is a SHA-256 digest.
type Sum [sha256.Size]byte

func Of(data []byte) Sum { return sha256.Sum256(data) }

func (s Sum) Hex() string { return string(s.AppendHex(nil)) }

// String returns the text form, "sha256:" and 64 lower-case digits.
func (s Sum) String() string { return string(s.AppendText(nil)) }

func (s Sum) AppendHex(dst []byte) []byte { return hex.AppendEncode(dst, s[:]) }

func (s Sum) AppendText(dst []byte) []byte { return s.AppendHex(append(dst, Prefix...)) }

// Equal compares in constant time.
func (s Sum) Equal(t Sum) bool { return subtle.ConstantTimeCompare(s[:], t[:]) == 1 }

// IsHex reports whether text is exactly 64 lower-case hexadecimal digits.
func IsHex(text []byte) bool {
	_, ok := ParseHex(text)
	return ok
}

func ParseHex(text []byte) (s Sum, ok bool) {
	if !s.SetHex(text) {
		return Sum{}, false
	}
	return s, true
}

// SetHex decodes 64 lower-case digits into s. If it returns false, s is undefined. It decodes
// sixteen digits at a time: verification decodes three hashes per event.
func (s *Sum) SetHex(text []byte) bool {
	if len(text) != 2*sha256.Size {
		return false
	}
	for i := 0; i < len(s); i += 8 {
		low, lower := FromDigits(binary.LittleEndian.Uint64(text[2*i:]))
		high, too := FromDigits(binary.LittleEndian.Uint64(text[2*i+8:]))
		if !lower || !too {
			return false
		}
		binary.LittleEndian.PutUint64(s[i:], uint64(low)|uint64(high)<<32)
	}
	return true
}

// ones repeats a byte in a word by multiplication.
const ones = 0x0101010101010101

// AreDigits reports whether all eight bytes of word are hexadecimal digits of either case.
func AreDigits(word uint64) bool {
	_, ok := FromDigits(word | word>>1&(0x20*ones)) // set the lower-case bit of letters
	return ok
}

// FromDigits decodes the eight hexadecimal digits of a little-endian word into four bytes. ok is
// false unless all are lower-case digits, which it checks by encoding the result again.
func FromDigits(word uint64) (four uint32, ok bool) {
	// Letters have bit 0x40 set and are worth 9 more than their low four bits.
	w := word&(0x0f*ones) + word>>6&ones*9
	ok = w+0x30*ones+(w+6*ones)>>4&ones*('a'-'0'-10) == word && w&(0x10*ones) == 0
	w = (w<<4 | w>>8) & 0x00ff00ff00ff00ff
	w = (w | w>>8) & 0x0000ffff0000ffff
	return uint32(w | w>>16), ok
}

// Parse parses the exact form that String writes; ok is false for anything else, such as bare or upper-case digits.
func Parse(text []byte) (s Sum, ok bool) {
	if len(text) != TextLen || string(text[:len(Prefix)]) != Prefix {
		return s, false
	}
	return ParseHex(text[len(Prefix):])
}

// Form describes the form that Parse accepts.
const Form = `"sha256:" and 64 lower-case hexadecimal digits`
