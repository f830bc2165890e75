package session

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strconv"
	"unicode/utf16"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// isHash says whether text is a SHA-256 as payloads write it: 64 lower-case digits,
// with "sha256:" before them or without.
func isHash(text []byte) bool {
	return digest.IsHex(bytes.TrimPrefix(text, []byte(digest.Prefix)))
}

func isUUID(text []byte) bool {
	if len(text) != 36 {
		return false
	}
	for i, c := range text {
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case c >= '0' && c <= '9', c|0x20 >= 'a' && c|0x20 <= 'f':
		default:
			return false
		}
	}
	return true
}

// isMarker says whether a value is a redaction marker: the whole string "[REDACTED]"
// or "[REDACTED:label]".
func isMarker(n strictjson.Node) bool {
	if !n.Is(strictjson.String) {
		return false
	}
	var scratch [64]byte
	rest, ok := bytes.CutPrefix(n.TextBytes(scratch[:0]), []byte("[REDACTED"))
	if !ok {
		return false
	}
	rest, ok = bytes.CutSuffix(rest, []byte("]"))
	if !ok || len(rest) == 0 {
		return ok
	}
	return rest[0] == ':' && len(rest) > 1 && bytes.IndexByte(rest, ']') < 0
}

// integral reads a JSON number as an integer of any spelling: 5, 5.0 and 50e-1 are
// five. whole is false for a number with a fraction; wide is true for one whose
// magnitude needs more than 64 bits.
func integral(raw []byte) (negative bool, magnitude uint64, whole, wide bool) {
	if raw[0] == '-' {
		negative, raw = true, raw[1:]
	}
	mantissa, power, _ := bytes.Cut(bytes.ToLower(raw), []byte{'e'})
	units, fraction, _ := bytes.Cut(mantissa, []byte{'.'})
	digits := append(append(make([]byte, 0, 32), units...), fraction...)
	digits = bytes.TrimLeft(digits, "0")
	if len(digits) == 0 {
		return false, 0, true, false
	}
	exponent := 0
	if len(power) > 0 {
		exponent, _ = strconv.Atoi(string(power)) // saturates when it is absurd
	}
	trimmed := bytes.TrimRight(digits, "0")
	exponent += len(digits) - len(trimmed) - len(fraction)
	switch {
	case exponent < 0:
		return negative, 0, false, false
	case len(trimmed)+exponent > 20: // 2^64 has 20 digits
		return negative, 0, true, true
	}
	digits = append(trimmed, bytes.Repeat([]byte{'0'}, exponent)...)
	magnitude, err := strconv.ParseUint(string(digits), 10, 64)
	return negative, magnitude, true, err != nil
}

// matchesText says whether hash is that of a string in one of the three spellings
// that producers hash: the text's bytes, its canonical JSON, its JSON in ASCII. The
// hash is well-formed.
func matchesText(hash, text, canonical []byte) bool {
	want, _ := digest.ParseHex(bytes.TrimPrefix(hash, []byte(digest.Prefix)))
	return want == sha256.Sum256(text) || want == sha256.Sum256(canonical) || want == sha256.Sum256(asciiJSON(text))
}

// asciiJSON spells a string as JSON with every character beyond ASCII escaped.
func asciiJSON(text []byte) []byte {
	out := []byte{'"'}
	for _, r := range string(text) {
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r >= ' ' && r < 0x80:
			out = append(out, byte(r))
		case shortEscape(r) != 0:
			out = append(out, '\\', shortEscape(r))
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return append(out, '"')
}

func shortEscape(r rune) byte {
	switch r {
	case '\b':
		return 'b'
	case '\f':
		return 'f'
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	}
	return 0
}
