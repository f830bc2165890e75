package source

import (
	"bytes"
	"fmt"
	"regexp"
	"unicode/utf8"
)

// Foreign reports whether an input's first line cannot start a record: its first byte is not "{" or
// "[", or it looks like UTF-16 or UTF-32. Leading white space and a byte order mark are ignored.
func Foreign(line []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(line, []byte("\ufeff")), " \t\r\n")
	if len(text) == 0 {
		return false
	}
	return text[0] != '{' && text[0] != '[' || len(text) > 1 && text[1] == 0
}

// Likeness guesses the kind of a Foreign input: an encoding by its iconv name, "YAML", "binary
// data", or "" for other text.
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

func IsEncoding(likeness string) bool {
	for _, e := range encodings {
		if e.name == likeness {
			return true
		}
	}
	return false
}

// EncodingHint suggests a conversion to UTF-8.
func EncodingHint(likeness string) string {
	return fmt.Sprintf("the input looks like %s: convert it with `iconv -f %[1]s -t UTF-8`", likeness)
}

// ByteOrderHint is the hint for a byte order mark.
const ByteOrderHint = "save the file as UTF-8 without a byte order mark"

// likenessBytes is enough input for Likeness.
const likenessBytes = 4 << 10

type encoding struct {
	name  string
	mark  []byte
	zeros []int // offsets of zero bytes in two ASCII characters
	size  int   // their total size
}

// encodings lists four-byte encodings before two-byte ones with the same start.
var encodings = []encoding{
	{"UTF-32LE", []byte("\xff\xfe\x00\x00"), []int{1, 2, 3, 5, 6, 7}, 8},
	{"UTF-32BE", []byte("\x00\x00\xfe\xff"), []int{0, 1, 2, 4, 5, 6}, 8},
	{"UTF-16LE", []byte("\xff\xfe"), []int{1, 3}, 4},
	{"UTF-16BE", []byte("\xfe\xff"), []int{0, 2}, 4},
}

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

// yamlLine matches a document start, a list entry or a key with a value.
var yamlLine = regexp.MustCompile(`^(---|%YAML|- |["']?[\pL_][\pL\pN_ .-]*["']?:([ \t\r\n]|$))`)

// AtLine adds a line number to an error.
func AtLine(number int, err error) error { return fmt.Errorf("line %d: %w", number, err) }
