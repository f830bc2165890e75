package recognize

import (
	"bufio"
	"bytes"
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// wideEncoding detects UTF-16 or UTF-32 by the first bytes (YAML 1.2.2, clause 5.2; also for JSON),
// or returns nil. Single NULs are damage.
func wideEncoding(start []byte) encoding.Encoding {
	sample := start[:min(len(start), 64)]
	marked := bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff"))
	if !marked && bytes.Count(sample, []byte{0}) < len(sample)/3 {
		return nil
	}
	for _, e := range encodings {
		if len(start) >= len(e.start) && e.matches(start) {
			return e.encoding
		}
	}
	return nil
}

func inUTF8(r io.Reader) *bufio.Reader {
	text := bufio.NewReader(r)
	start, _ := text.Peek(64)
	if e := wideEncoding(start); e != nil {
		return bufio.NewReader(e.NewDecoder().Reader(text))
	}
	return text
}

// decodeWide converts UTF-16 or UTF-32 to UTF-8. wide is false for other texts.
func decodeWide(text []byte) (utf8 []byte, wide bool) {
	if wideEncoding(text) == nil {
		return nil, false
	}
	utf8, _ = io.ReadAll(io.LimitReader(inUTF8(bytes.NewReader(text)), MostBytes)) // half a character at the cut ends it
	return bytes.TrimPrefix(utf8, []byte("\ufeff")), true
}

// reencoded identifies a text that was converted to UTF-8. YAML allows other encodings, JSON does not (RFC 8259,
// clause 8.1), so that records count as damaged.
func reencoded(h Head) Answer {
	a := utf8Text(h)
	if a.State == Ours && a.Family != OATF {
		a.State, a.Why = Damaged, "the text is in UTF-16 or UTF-32, expected UTF-8"
	}
	return a
}

// wide is an encoding and how its texts start.
type wide struct {
	start    string // "x" is any byte but zero
	encoding encoding.Encoding
}

func (w wide) matches(start []byte) bool {
	for i := range len(w.start) {
		if any := w.start[i] == 'x' && start[i] != 0; !any && w.start[i] != start[i] {
			return false
		}
	}
	return true
}

var encodings = []wide{
	{"\x00\x00\xfe\xff", utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)},
	{"\x00\x00\x00x", utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)},
	{"\xff\xfe\x00\x00", utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)},
	{"x\x00\x00\x00", utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)},
	{"\xfe\xff", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
	{"\x00x", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
	{"\xff\xfe", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
	{"x\x00", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
}
