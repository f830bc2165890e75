package strictjson

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"unicode/utf8"
)

// scanString reads the string whose first byte after the quote is src[i] and
// returns the offset of its closing quote. inChild is as for fail.
func (s *Scanner) scanString(src []byte, i int, inChild bool) (end int, escaped bool, err error) {
	start := i
	for {
		i = skipPlain(src, i)
		if i >= len(src) {
			return 0, false, s.truncated(src, len(src))
		}
		switch c := src[i]; {
		case c == '"':
			if i-start > s.limits.StringChars {
				if err := s.checkLength(src[start:i], escaped, start, inChild); err != nil {
					return 0, false, err
				}
			}
			return i, escaped, nil
		case c == '\\':
			escaped = true
			size, err := s.scanEscape(src, i, inChild)
			if err != nil {
				return 0, false, err
			}
			i += size
		case c < ' ':
			return 0, false, s.fail(Syntax, i, fmt.Sprintf("control character U+%04X in a string, expected the escape \\u%04x", c, c), inChild)
		default:
			r, size := utf8.DecodeRune(src[i:])
			if r == utf8.RuneError && size == 1 {
				return 0, false, s.fail(UTF8, i, fmt.Sprintf("byte 0x%02x is not UTF-8", c), inChild)
			}
			i += size
		}
	}
}

// skipPlain returns the offset of the first byte at or after i that needs a look: a
// quote, a backslash, a control character or a byte beyond ASCII. It tests eight
// bytes at a time; the lowest marked byte is exact, which is all that is used.
func skipPlain(src []byte, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for i+8 <= len(src) {
		w := binary.LittleEndian.Uint64(src[i:])
		quote := w ^ '"'*ones
		slash := w ^ '\\'*ones
		mark := ((quote-ones)&^quote | (slash-ones)&^slash | (w-' '*ones)&^w | w) & highs
		if mark != 0 {
			return i + bits.TrailingZeros64(mark)/8
		}
		i += 8
	}
	for i < len(src) {
		if c := src[i]; c == '"' || c == '\\' || c < ' ' || c >= utf8.RuneSelf {
			return i
		}
		i++
	}
	return i
}

// scanEscape reads the escape at src[i] and returns its length.
func (s *Scanner) scanEscape(src []byte, i int, inChild bool) (size int, err error) {
	if i+1 >= len(src) {
		return 0, s.truncated(src, len(src))
	}
	if src[i+1] != 'u' {
		if simpleEscape(src[i+1]) < 0 {
			return 0, s.fail(Syntax, i, "unknown escape \\"+string(rune(src[i+1])), inChild)
		}
		return 2, nil
	}
	r, ok := hex4(src[i+2:])
	switch {
	case !ok && i+6 > len(src):
		return 0, s.truncated(src, len(src))
	case !ok:
		return 0, s.fail(Syntax, i, "escape \\u without four hexadecimal digits", inChild)
	case r < 0xd800 || r > 0xdfff:
		return 6, nil
	case r >= 0xdc00:
		return 0, s.fail(Surrogate, i, fmt.Sprintf("low surrogate \\u%04x without a high one before it", r), inChild)
	}
	if i+8 <= len(src) && src[i+6] == '\\' && src[i+7] == 'u' {
		if low, ok := hex4(src[i+8:]); ok && low >= 0xdc00 && low <= 0xdfff {
			return 12, nil
		}
	}
	return 0, s.fail(Surrogate, i, fmt.Sprintf("high surrogate \\u%04x without a low one after it", r), inChild)
}

// checkLength counts the code points of a string that is long enough to matter.
func (s *Scanner) checkLength(raw []byte, escaped bool, start int, inChild bool) error {
	chars := utf8.RuneCount(raw)
	if escaped {
		chars = 0
		for i := 0; i < len(raw); chars++ {
			size := 0
			if raw[i] == '\\' {
				_, size = Unescape(raw[i:])
			} else {
				_, size = utf8.DecodeRune(raw[i:])
			}
			i += size
		}
	}
	if chars <= s.limits.StringChars {
		return nil
	}
	return s.limit(StringLength, s.limits.StringChars, "string of %d characters", chars, start, inChild)
}
