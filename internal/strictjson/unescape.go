package strictjson

import (
	"unicode/utf16"
	"unicode/utf8"
)

// AppendUnescaped appends to dst the text of a string that Scan has accepted; raw
// is the string's source without its quotes.
func AppendUnescaped(dst, raw []byte) []byte {
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			start := i
			for i < len(raw) && raw[i] != '\\' {
				i++
			}
			dst = append(dst, raw[start:i]...)
			continue
		}
		r, size := Unescape(raw[i:])
		dst = utf8.AppendRune(dst, r)
		i += size
	}
	return dst
}

// Unescape decodes the escape at the start of raw, which Scan has accepted, and
// returns its code point and its length. A surrogate pair is one escape of 12 bytes;
// half a pair, where it was accepted, is U+FFFD.
func Unescape(raw []byte) (r rune, size int) {
	if raw[1] != 'u' {
		return simpleEscape(raw[1]), 2
	}
	r, _ = hex4(raw[2:])
	if !utf16.IsSurrogate(r) {
		return r, unitEscape
	}
	if len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' {
		low, _ := hex4(raw[8:])
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, unitEscape
}

// unitEscape is the length of the escape of one UTF-16 code unit.
const unitEscape = 6

// simpleEscape returns what the two-character escape \c stands for, -1 when there
// is no such escape.
func simpleEscape(c byte) rune {
	switch c {
	case '"', '\\', '/':
		return rune(c)
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return -1
}

func isHex(c byte) bool {
	return c-'0' <= 9 || c|0x20-'a' <= 5
}

// hex4 reads four hexadecimal digits of either case.
func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
