package payload

import (
	"bytes"
	"strings"
)

// uriScheme returns the scheme of an absolute URI without fragment (RFC 3986 §4.3). ok is false for other texts.
func uriScheme(text []byte) (scheme []byte, ok bool) {
	scheme, rest, found := bytes.Cut(text, []byte{':'})
	if !found || len(scheme) == 0 || len(rest) == 0 || !isLetter(scheme[0]) {
		return nil, false
	}
	for _, c := range scheme {
		if !isLetter(c) && (c < '0' || c > '9') && c != '+' && c != '-' && c != '.' {
			return nil, false
		}
	}
	for i, c := range rest {
		if !uriBytes[c] || c == '%' && !isEscape(rest[i:]) {
			return nil, false
		}
	}
	return scheme, true
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isEscape reports whether a text starts with a percent sign and two hexadecimal digits.
func isEscape(text []byte) bool { return len(text) > 2 && isHexDigit(text[1]) && isHexDigit(text[2]) }

func isHexDigit(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

// uriBytes are the bytes of a URI without fragment: unreserved characters, delimiters and percent.
var uriBytes = func() (table [256]bool) {
	for c := range table {
		b := byte(c)
		table[c] = isLetter(b) || '0' <= b && b <= '9' || strings.IndexByte("-._~:/?[]@!$&'()*+,;=%", b) >= 0
	}
	return table
}()
