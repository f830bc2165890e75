package payload

import (
	"bytes"
	"math"

	"github.com/cupel-dev/cupel/evidence"
)

// dataBase64 is the member for binary data. It is not an attribute.
const dataBase64 = "data_base64"

// isAttributeValue reports whether a value is in CloudEvents' type system (JSON format); null means
// unset.
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

// isToken says whether a text is a token of RFC 9110 §5.6.2.
func isToken(text []byte) bool {
	for _, c := range text {
		if !isLetter(c) && (c < '0' || c > '9') && bytes.IndexByte([]byte("!#$%&'*+-.^_`|~"), c) < 0 {
			return false
		}
	}
	return len(text) > 0
}

// isPlain says whether a string is written without escapes and in printable ASCII.
func isPlain(raw []byte) bool {
	for _, b := range raw {
		if b < ' ' || b > '~' || b == '\\' {
			return false
		}
	}
	return true
}

// isExcluded says whether the strings of CloudEvents do not have a code point.
func isExcluded(r rune) bool {
	return r < ' ' || 0x7f <= r && r <= 0x9f || 0xfdd0 <= r && r <= 0xfdef || r&0xfffe == 0xfffe
}
