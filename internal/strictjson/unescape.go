package strictjson

import (
	"unicode/utf16"
	"unicode/utf8"
)

// AppendUnescaped appends a scanned string's text to dst; raw is its source without quotes.
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

// Unescape decodes a valid escape at the start of raw. A surrogate pair is one escape of 12 bytes;
// an unpaired half is U+FFFD.
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

// unitEscape is the length of a \u escape.
const unitEscape = 6

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

// hex4 parses four hexadecimal digits.
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
