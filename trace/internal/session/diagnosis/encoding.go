package diagnosis

import (
	"bytes"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/unicode/norm"
)

// encoding is a character encoding that a text was converted to.
type encoding struct{ name, note, help string }

// byteOrderMark is U+FEFF in UTF-8.
var byteOrderMark = []byte("\xef\xbb\xbf")

// markSize returns the length of the byte order mark of a text, or 0.
func markSize(text *io.SectionReader) int64 {
	head := make([]byte, len(byteOrderMark))
	if n, _ := text.ReadAt(head, 0); bytes.Equal(head[:n], byteOrderMark) {
		return int64(n)
	}
	return 0
}

// decode undoes encodings detected at the start of a text. open returns the decoded text.
func decode(text *io.SectionReader) (open func() io.Reader, undone []encoding) {
	from := func(at int64) io.Reader { return io.NewSectionReader(text, at, (text.Size()-at)&^1) }
	if skip, big, ok := utf16Text(text); ok {
		order, name := unicode.LittleEndian, "UTF-16LE"
		if big {
			order, name = unicode.BigEndian, "UTF-16BE"
		}
		return func() io.Reader { return unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder().Reader(from(skip)) }, []encoding{{
			name, "the log was converted to " + name + "; as UTF-8 it can be read", "convert it back: iconv -f UTF-16 -t UTF-8 FILE",
		}}
	}
	mark := markSize(text)
	if mark > 0 {
		undone = []encoding{{
			"BOM", "a byte order mark was put before the log; without it the first line can be read", "remove its 3 bytes: tail -c +4 FILE",
		}}
	}
	return func() io.Reader { return io.NewSectionReader(text, mark, text.Size()-mark) }, undone
}

// utf16Text detects UTF-16 by a byte order mark of skip bytes, or by NULs in every second byte.
func utf16Text(text *io.SectionReader) (skip int64, big, ok bool) {
	head := make([]byte, 64)
	n, _ := text.ReadAt(head, 0)
	switch head = head[:n]; {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		return 2, false, true
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return 2, true, true
	}
	even, odd := 0, 0
	for i, c := range head {
		if c == 0 && i%2 == 0 {
			even++
		} else if c == 0 {
			odd++
		}
	}
	half := len(head) / 2
	return 0, even > 0, half >= 2 && (even == half || odd == half) && (even == 0 || odd == 0)
}

// fromWindows1252 decodes a text that is not UTF-8 as Windows-1252, a superset of ISO-8859-1.
func fromWindows1252(text []byte) ([]byte, bool) {
	if utf8.Valid(text) {
		return nil, false
	}
	fixed, err := charmap.Windows1252.NewDecoder().Bytes(text)
	return fixed, err == nil
}

// fromMojibake undoes a double encoding: UTF-8 that was read as Windows-1252 or ISO-8859-1 and encoded again.
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
