package session

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/say"
)

// isHash reports whether text is a SHA-256: 64 lower-case hex digits, with an optional "sha256:" prefix.
func isHash(text []byte) bool {
	return digest.IsHex(bytes.TrimPrefix(text, []byte(digest.Prefix)))
}

func isUUID(text []byte) bool {
	words, ok := uuidWords(text)
	return ok && digest.AreDigits(words[0]) && digest.AreDigits(words[1]) && digest.AreDigits(words[2]) && digest.AreDigits(words[3])
}

// uuidWords returns the 32 hex digits of a UUID, eight characters per word.
func uuidWords(text []byte) (words [4]uint64, ok bool) {
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return words, false
	}
	four := func(at int) uint64 { return uint64(binary.LittleEndian.Uint32(text[at:])) }
	return [4]uint64{
		binary.LittleEndian.Uint64(text), four(9) | four(14)<<32, four(19) | four(24)<<32, binary.LittleEndian.Uint64(text[28:]),
	}, true
}

// integral parses a JSON number as an integer: 5, 5.0 and 50e-1 are equal. whole is false for a fraction. wide is
// true if the magnitude exceeds 64 bits.
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

// maxPreview limits the preview of a value in messages. A hash with its prefix fits.
const maxPreview = 72

func clip(s string) string { return say.Preview(s, maxPreview) }
