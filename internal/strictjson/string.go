package strictjson

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"unicode/utf8"
)

// endsPlain reports whether a string that has no special bytes from its quote at src[i] ends at src[end], the
// common case.
func (l *Limits) endsPlain(src []byte, i, end int) bool {
	return end < len(src) && src[end] == '"' && end-i <= l.StringChars
}

// scanString reads the string that starts at src[start] and has no special bytes up to src[i]. It returns the
// offset of the closing quote and the marks Escaped and Canonical.
func (l *Limits) scanString(src []byte, start, i int) (end int, marks Marks, e *Error) {
	marks = Canonical
	for ; ; i = SkipPlain(src, i) {
		if i >= len(src) {
			return 0, 0, truncated(len(src), "the end of the string")
		}
		switch c := src[i]; {
		case c == '"':
			if i-start > l.StringChars {
				if e := l.checkLength(src[start:i], marks&Escaped != 0, start); e != nil {
					return 0, 0, e
				}
			}
			return i, marks, nil
		case c == '\\':
			marks |= Escaped
			size, e := scanEscape(src, i)
			switch {
			case e == nil:
			case e.Code == Surrogate && l.LoneSurrogates:
				size = unitEscape
			default:
				return 0, 0, e
			}
			if size > len(`\n`) || src[i+1] == '/' { // RFC 8785 §3.2.2.2 has another spelling
				marks &^= Canonical
			}
			i += size
		case c < ' ':
			return 0, 0, broken(Syntax, i, i, fmt.Sprintf("control character U+%04X in a string, expected the escape \\u%04x", c, c),
				"an escape: a string cannot contain control characters")
		default:
			r, size := utf8.DecodeRune(src[i:])
			if r == utf8.RuneError && size == 1 {
				return 0, 0, notUTF8(src, i)
			}
			i += size
		}
	}
}

// SkipPlain returns the offset of the next quote, backslash, control or non-ASCII byte at or after
// i. It tests eight bytes at a time.
func SkipPlain(src []byte, i int) int {
	for i+8 <= len(src) {
		if mark := special(binary.LittleEndian.Uint64(src[i:])); mark != 0 {
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

// special sets the highest bit of each special byte of a word. The lowest mark is exact, higher ones can come from a
// borrow. With its second bit flipped, a quote (0x22) becomes 0x20 and control characters stay below it, so one
// subtraction finds both; non-ASCII bytes have the highest bit set.
func special(w uint64) uint64 {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	quote := (w ^ 0x02*ones) - 0x21*ones
	slash := (w ^ '\\'*ones) - ones
	return (quote | slash | w) & highs
}

func scanEscape(src []byte, i int) (size int, e *Error) {
	if i+1 >= len(src) {
		return 0, truncated(len(src), "the rest of an escape")
	}
	if src[i+1] != 'u' {
		if simpleEscape(src[i+1]) < 0 {
			return 0, broken(Syntax, i, i+1, "unknown escape \\"+string(rune(src[i+1])), "an escape that JSON knows")
		}
		return 2, nil
	}
	r, ok := hex4(src[i+2:])
	switch {
	case !ok:
		return 0, badUnit(src, i)
	case r < 0xd800 || r > 0xdfff:
		return unitEscape, nil
	case r >= 0xdc00:
		return 0, fail(Surrogate, i, fmt.Sprintf("low surrogate \\u%04x without a high one before it", r))
	}
	if i+8 <= len(src) && src[i+6] == '\\' && src[i+7] == 'u' {
		if low, ok := hex4(src[i+8:]); ok && low >= 0xdc00 && low <= 0xdfff {
			return 2 * unitEscape, nil
		}
	}
	return 0, fail(Surrogate, i, fmt.Sprintf("high surrogate \\u%04x without a low one after it", r))
}

// badUnit returns the error for a \u escape without four hexadecimal digits.
func badUnit(src []byte, i int) *Error {
	stop := i + len(`\u`)
	for stop < len(src) && isHex(src[stop]) {
		stop++
	}
	const want = "four hexadecimal digits"
	if i+unitEscape > len(src) {
		return broken(Truncated, len(src), stop, endOfText, want)
	}
	return broken(Syntax, i, stop, "escape \\u without four hexadecimal digits", want)
}

// checkLength checks the code points of a long string.
func (l *Limits) checkLength(raw []byte, escaped bool, start int) *Error {
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
	if chars <= l.StringChars {
		return nil
	}
	return limit(StringLength, l.StringChars, "string of %d characters", chars, start)
}
