package stream

import (
	"bytes"
	"unicode/utf8"
)

type place struct {
	offset int64
	line   int
	column int // code points before it on its line
}

// pass advances over text, which must not end inside a character (see wholeRunes).
func (p *place) pass(text []byte) {
	p.offset += int64(len(text))
	if end := bytes.LastIndexByte(text, '\n'); end >= 0 {
		p.line += bytes.Count(text, []byte{'\n'})
		p.column, text = 0, text[end+1:]
	}
	p.column += utf8.RuneCount(text)
}

// holding returns a line at the position, with the given text.
func (p place) holding(text []byte) Line {
	return Line{Number: p.line, Column: p.column, Offset: p.offset, Bytes: text, Size: int64(len(text)), Terminated: true}.Indexed()
}

// wholeRunes returns the length of a text without a truncated last character.
func wholeRunes(text []byte) int {
	for i := len(text) - 1; i >= max(0, len(text)-utf8.UTFMax+1); i-- {
		switch {
		case !utf8.RuneStart(text[i]):
		case utf8.FullRune(text[i:]):
			return len(text)
		default:
			return i
		}
	}
	return len(text)
}
