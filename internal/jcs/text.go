package jcs

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// texts writes string values and reuses its memory.
type texts struct {
	nfc     bool // normalize to NFC
	scratch []byte
}

// append writes a string value; raw is its source without quotes.
func (t *texts) append(dst, raw []byte, escaped bool) []byte {
	switch {
	case t.nfc:
		return t.normalized(dst, raw, escaped)
	case escaped:
		return appendEscaped(dst, raw)
	}
	dst = append(dst, '"')
	dst = append(dst, raw...)
	return append(dst, '"')
}

// normalized writes a string in NFC.
func (t *texts) normalized(dst, raw []byte, escaped bool) []byte {
	if escaped {
		t.scratch = strictjson.AppendUnescaped(t.scratch[:0], raw)
		raw = t.scratch
	}
	return AppendText(dst, norm.NFC.Bytes(raw))
}

// AppendText appends a UTF-8 text without escapes as a string, spelled as in RFC 8785 §3.2.2.2.
func AppendText[T string | []byte](dst []byte, text T) []byte {
	dst = append(dst, '"')
	plain := 0 // start of the pending unescaped characters
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' {
			dst = appendRune(append(dst, text[plain:i]...), rune(c))
			plain = i + 1
		}
	}
	return append(append(dst, text[plain:]...), '"')
}

// appendEscaped writes a string with escapes: required escapes (RFC 8785 §3.2.2.2) are normalized, others become
// characters.
func appendEscaped(dst, raw []byte) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			start := i
			for i < len(raw) && raw[i] != '\\' {
				i++
			}
			dst = append(dst, raw[start:i]...)
			continue
		}
		r, size := strictjson.Unescape(raw[i:])
		dst = appendRune(dst, r)
		i += size
	}
	return append(dst, '"')
}

// appendRune writes one character and escapes quotation marks, backslashes and control characters.
func appendRune(dst []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\b':
		return append(dst, `\b`...)
	case '\t':
		return append(dst, `\t`...)
	case '\n':
		return append(dst, `\n`...)
	case '\f':
		return append(dst, `\f`...)
	case '\r':
		return append(dst, `\r`...)
	}
	if r < ' ' {
		return append(dst, '\\', 'u', '0', '0', digits[r>>4], digits[r&15])
	}
	return utf8.AppendRune(dst, r)
}
