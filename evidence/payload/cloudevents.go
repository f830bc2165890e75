package payload

import (
	"bytes"
	"math"

	"github.com/cupel-dev/cupel/evidence"
)

// dataBase64 is the member with binary data. It is not an attribute.
const dataBase64 = "data_base64"

// isAttributeValue reports whether a value has a type of CloudEvents (JSON format); null means unset.
func isAttributeValue(v evidence.Value) bool {
	switch v.Kind() {
	case evidence.KindString, evidence.KindBool, evidence.KindNull:
		return true
	case evidence.KindNumber:
		n, ok := v.Int()
		return ok && math.MinInt32 <= n && n <= math.MaxInt32
	}
	return false
}

// isToken reports whether a text is a token (RFC 9110 §5.6.2).
func isToken(text []byte) bool {
	for _, c := range text {
		if !isLetter(c) && (c < '0' || c > '9') && bytes.IndexByte([]byte("!#$%&'*+-.^_`|~"), c) < 0 {
			return false
		}
	}
	return len(text) > 0
}

// isPlain reports whether a string is printable ASCII without escapes.
func isPlain(raw []byte) bool {
	for _, b := range raw {
		if b < ' ' || b > '~' || b == '\\' {
			return false
		}
	}
	return true
}

// isExcluded reports whether CloudEvents forbids a character in strings.
func isExcluded(r rune) bool {
	return r < ' ' || 0x7f <= r && r <= 0x9f || 0xfdd0 <= r && r <= 0xfdef || r&0xfffe == 0xfffe
}
