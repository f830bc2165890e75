package diagnosis

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// encoding is a character encoding that a text was converted to.
type encoding struct{ name, note, help string }

// byteOrderMark is U+FEFF in UTF-8.
var byteOrderMark = []byte("\xef\xbb\xbf")

// decode undoes encodings detected at the start of a text.
func decode(text []byte) ([]byte, []encoding) {
	if units, big, ok := utf16Units(text); ok {
		name := "UTF-16LE"
		if big {
			name = "UTF-16BE"
		}
		return []byte(string(utf16.Decode(units))), []encoding{{
			name, "the log was converted to " + name + "; as UTF-8 it can be read", "convert it back: iconv -f UTF-16 -t UTF-8 FILE",
		}}
	}
	if bytes.HasPrefix(text, byteOrderMark) {
		return text[len(byteOrderMark):], []encoding{{
			"BOM", "a byte order mark was put before the log; without it the first line can be read", "remove its 3 bytes: tail -c +4 FILE",
		}}
	}
	return text, nil
}

// utf16Units decodes UTF-16, detected by a byte order mark or NULs in every second byte.
func utf16Units(text []byte) (units []uint16, big, ok bool) {
	switch {
	case bytes.HasPrefix(text, []byte{0xff, 0xfe}):
		text = text[2:]
	case bytes.HasPrefix(text, []byte{0xfe, 0xff}):
		text, big = text[2:], true
	default:
		head := text[:min(len(text), 64)]
		even, odd := 0, 0
		for i, c := range head {
			if c == 0 && i%2 == 0 {
				even++
			} else if c == 0 {
				odd++
			}
		}
		if half := len(head) / 2; half < 2 || even != half && odd != half || even > 0 && odd > 0 {
			return nil, false, false
		}
		big = even > 0
	}
	for i := 0; i+1 < len(text); i += 2 {
		low, high := text[i], text[i+1]
		if big {
			low, high = high, low
		}
		units = append(units, uint16(high)<<8|uint16(low))
	}
	return units, big, true
}

// fromWindows1252 reads a text that is not UTF-8 as Windows-1252, which has ISO-8859-1 in it.
func fromWindows1252(text []byte) ([]byte, bool) {
	if utf8.Valid(text) {
		return nil, false
	}
	fixed, err := charmap.Windows1252.NewDecoder().Bytes(text)
	return fixed, err == nil
}

// fromMojibake undoes that a UTF-8 text was read as Windows-1252, or ISO-8859-1, and then encoded
// as UTF-8 again.
func fromMojibake(text []byte) (out [][]byte) {
	if isASCII(text) {
		return nil
	}
	for _, table := range []*charmap.Charmap{charmap.Windows1252, charmap.ISO8859_1} {
		fixed := make([]byte, 0, len(text))
		good := true
		for _, r := range string(text) {
			b, ok := table.EncodeRune(r)
			if !ok && r >= 0x80 && r <= 0x9f { // bytes that Windows-1252 leaves undefined are read as they are
				b, ok = byte(r), true
			}
			if good = ok; !good {
				break
			}
			fixed = append(fixed, b)
		}
		if good && utf8.Valid(fixed) && !bytes.Equal(fixed, text) {
			out = append(out, fixed)
		}
	}
	return out
}

// renormalized returns a text in a normalization form that it is not in.
func renormalized(text []byte, form norm.Form) []byte {
	if isASCII(text) || form.IsNormal(text) {
		return nil
	}
	return form.Bytes(text)
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
