// Package digest holds cupel's one hash text: "sha256:" and 64 lower-case
// hexadecimal digits. It can be reproduced with
//
//	printf '{"a":1}' | sha256sum
package digest

import (
	"crypto/sha256"
	"crypto/subtle"
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

// ParseHex reads 64 lower-case digits; ok is false for anything else. It looks at each
// byte once and never branches on it: three of them are read for each event of a log.
func ParseHex(text []byte) (s Sum, ok bool) {
	if len(text) != 2*sha256.Size {
		return s, false
	}
	var seen byte
	for i := range s {
		high, low := digits[text[2*i]], digits[text[2*i+1]]
		s[i] = high<<4 | low&0xf
		seen |= high | low
	}
	if seen > 0xf {
		return Sum{}, false
	}
	return s, true
}

// digits holds the value of each lower-case hexadecimal digit, 0xff for other bytes.
var digits = func() (table [256]byte) {
	for c := range table {
		table[c] = 0xff
	}
	for value, c := range []byte("0123456789abcdef") {
		table[c] = byte(value)
	}
	return table
}()

// Parse reads the text form exactly as String writes it; ok is false for anything
// else, bare digits and upper case among them.
func Parse(text []byte) (s Sum, ok bool) {
	if len(text) != TextLen || string(text[:len(Prefix)]) != Prefix {
		return s, false
	}
	return ParseHex(text[len(Prefix):])
}
