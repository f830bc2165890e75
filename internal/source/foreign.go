package source

import (
	"bytes"
	"fmt"
	"regexp"
	"unicode/utf8"
)

// Foreign says whether the first line of an input begins unlike any record: with another
// byte than "{" or "[", or with one of two bytes as UTF-16 and UTF-32 write it. White
// space and a byte order mark before it do not count.
func Foreign(line []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(line, []byte("\ufeff")), " \t\r\n")
	if len(text) == 0 {
		return false
	}
	return text[0] != '{' && text[0] != '[' || len(text) > 1 && text[1] == 0
}

// Likeness is what the beginning of an input looks like that is Foreign: an encoding by
// the name that iconv has for it, "YAML", "binary data", or "" for any other text.
func Likeness(text []byte) string {
	text = text[:min(len(text), likenessBytes)]
	for _, e := range encodings {
		if bytes.HasPrefix(text, e.mark) || e.writes(text) {
			return e.name
		}
	}
	switch {
	case binary(text):
		return "binary data"
	case yamlLine.Match(text):
		return "YAML"
	}
	return ""
}

// IsEncoding says whether a likeness is an encoding.
func IsEncoding(likeness string) bool {
	for _, e := range encodings {
		if e.name == likeness {
			return true
		}
	}
	return false
}

// EncodingHint makes UTF-8 of an encoding that a text looks like.
func EncodingHint(likeness string) string {
	return fmt.Sprintf("this looks like %s: `iconv -f %[1]s -t UTF-8` makes UTF-8 of it", likeness)
}

// ByteOrderHint is about a text that begins with a byte order mark.
const ByteOrderHint = "save the file as UTF-8 without a byte order mark"

// likenessBytes are enough to see what a text is.
const likenessBytes = 4 << 10

// encoding is one of several bytes a character.
type encoding struct {
	name  string
	mark  []byte
	zeros []int // where the first two characters of ASCII have bytes that are zero
	size  int   // of these
}

// encodings are those of four bytes before those of two, which they begin like.
var encodings = []encoding{
	{"UTF-32LE", []byte("\xff\xfe\x00\x00"), []int{1, 2, 3, 5, 6, 7}, 8},
	{"UTF-32BE", []byte("\x00\x00\xfe\xff"), []int{0, 1, 2, 4, 5, 6}, 8},
	{"UTF-16LE", []byte("\xff\xfe"), []int{1, 3}, 4},
	{"UTF-16BE", []byte("\xfe\xff"), []int{0, 2}, 4},
}

// writes says whether the text begins with two characters of ASCII in the encoding.
func (e encoding) writes(text []byte) bool {
	if len(text) < e.size {
		return false
	}
	zeros := 0
	for i, c := range text[:e.size] {
		if c == 0 {
			if zeros == len(e.zeros) || e.zeros[zeros] != i {
				return false
			}
			zeros++
		}
	}
	return zeros == len(e.zeros)
}

// binary says whether a text has bytes that no text has.
func binary(text []byte) bool {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 && utf8.FullRune(text) || r < ' ' && r != '\t' && r != '\n' && r != '\r' {
			return true
		}
		text = text[size:]
	}
	return false
}

// yamlLine is a line that begins a document, an entry of a list, or a key with its value.
var yamlLine = regexp.MustCompile(`^(---|%YAML|- |["']?[\pL_][\pL\pN_ .-]*["']?:([ \t\r\n]|$))`)

// AtLine says in which line of an input something could not be done.
func AtLine(number int, err error) error { return fmt.Errorf("line %d: %w", number, err) }
