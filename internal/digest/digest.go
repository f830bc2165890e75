// Package digest holds cupel's one hash text: "sha256:" and 64 lower-case
// hexadecimal digits. It can be reproduced with
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

// Of returns the digest of data.
func Of(data []byte) Sum { return sha256.Sum256(data) }

// Hex returns the 64 lower-case digits alone.
func (s Sum) Hex() string { return string(s.AppendHex(nil)) }

// String returns the text form, "sha256:" and 64 lower-case digits.
func (s Sum) String() string { return string(s.AppendText(nil)) }

// AppendHex appends the 64 digits to dst.
func (s Sum) AppendHex(dst []byte) []byte { return hex.AppendEncode(dst, s[:]) }

// AppendText appends the text form to dst.
func (s Sum) AppendText(dst []byte) []byte { return s.AppendHex(append(dst, Prefix...)) }

// Equal compares in constant time.
func (s Sum) Equal(t Sum) bool { return subtle.ConstantTimeCompare(s[:], t[:]) == 1 }

// IsHex says whether text is exactly 64 lower-case hexadecimal digits.
func IsHex(text []byte) bool {
	_, ok := ParseHex(text)
	return ok
}

// ParseHex reads 64 lower-case digits; ok is false for anything else.
func ParseHex(text []byte) (s Sum, ok bool) {
	if !s.SetHex(text) {
		return Sum{}, false
	}
	return s, true
}

// SetHex sets s to what 64 lower-case digits spell; false is for anything else, and leaves in s
// what nobody may rely on. It reads sixteen digits at a time, and writes them where they are to
// be: three hashes are read for each event of a log.
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

// ones times a byte is eight of it.
const ones = 0x0101010101010101

// AreDigits says whether the eight bytes of a word are hexadecimal digits of either case.
func AreDigits(word uint64) bool {
	_, ok := FromDigits(word | word>>1&(0x20*ones)) // the bit of lower case, where that of letters is
	return ok
}

// FromDigits returns the four bytes that the eight bytes of a word spell, and whether these are
// lower-case hexadecimal digits, all words little-endian. They are, if what they spell is spelled
// like that.
func FromDigits(word uint64) (four uint32, ok bool) {
	// The letters have the bit 0x40, and 9 more than their low four bits say.
	w := word&(0x0f*ones) + word>>6&ones*9
	ok = w+0x30*ones+(w+6*ones)>>4&ones*('a'-'0'-10) == word && w&(0x10*ones) == 0
	w = (w<<4 | w>>8) & 0x00ff00ff00ff00ff
	w = (w | w>>8) & 0x0000ffff0000ffff
	return uint32(w | w>>16), ok
}

// Parse reads the text form exactly as String writes it; ok is false for anything
// else, bare digits and upper case among them.
func Parse(text []byte) (s Sum, ok bool) {
	if len(text) != TextLen || string(text[:len(Prefix)]) != Prefix {
		return s, false
	}
	return ParseHex(text[len(Prefix):])
}

// Form is what Parse takes, in words.
const Form = `"sha256:" and 64 lower-case hexadecimal digits`
