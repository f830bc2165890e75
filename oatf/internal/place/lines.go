package place

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/oatf/model"
)

// Lines is a text split at the YAML library's line breaks. Checkpoints in long lines make lookups fast.
type Lines struct {
	Text   string
	starts []int32 // byte offset of each line
	// marks are checkpoints in long lines: for a line's number, the byte offset of every markEvery-th code point.
	marks map[int][]int32
	bom   int // bytes of the byte order mark before Text
}

const byteOrderMark = "\ufeff"

// markEvery is the distance of checkpoints in code points. Shorter lines do not have any.
const markEvery = 1024

// SplitLines indexes a text without its byte order mark, which columns do not count.
func SplitLines(text string) *Lines {
	l := &Lines{Text: strings.TrimPrefix(text, byteOrderMark)}
	l.bom = len(text) - len(l.Text)
	l.starts = make([]int32, 1, 1+strings.Count(l.Text, "\n"))
	for i := 0; i < len(l.Text); {
		if c := l.Text[i]; c >= ' ' && c < utf8.RuneSelf {
			i++
			continue
		}
		size := breakSize(l.Text[i:])
		i += max(1, size)
		if size > 0 {
			l.mark(int(l.starts[len(l.starts)-1]), i)
			l.starts = append(l.starts, int32(i))
		}
	}
	l.mark(int(l.starts[len(l.starts)-1]), len(l.Text))
	return l
}

// mark sets the checkpoints of the last line.
func (l *Lines) mark(start, end int) {
	if end-start < markEvery {
		return
	}
	var marks []int32
	count := 0
	for i := range l.Text[start:end] {
		if count%markEvery == 0 {
			marks = append(marks, int32(start+i))
		}
		count++
	}
	if l.marks == nil {
		l.marks = map[int][]int32{}
	}
	l.marks[len(l.starts)] = marks
}

func (l *Lines) Count() int { return len(l.starts) }

// Line returns a line, counted from 1, without its line break.
func (l *Lines) Line(number int) string {
	start, end := int(l.starts[number-1]), len(l.Text)
	if number < len(l.starts) {
		end = int(l.starts[number])
	}
	line := l.Text[start:end]
	if number == len(l.starts) {
		return line
	}
	return line[:len(line)-lastBreakSize(line)]
}

// Offset returns the offset in a line for a column, counted from 1, at most the line's length.
func (l *Lines) Offset(number, column int) int {
	line := l.Line(number)
	at, left := 0, column-1
	if marks := l.marks[number]; marks != nil && left >= markEvery {
		i := min(left/markEvery, len(marks)-1)
		at, left = int(marks[i]-l.starts[number-1]), left-i*markEvery
	}
	for ; left > 0 && at < len(line); left-- {
		_, size := utf8.DecodeRuneInString(line[at:])
		at += size
	}
	return min(at, len(line))
}

// Byte returns the offset in the whole text, including a byte order mark, for a line and column counted from 1.
func (l *Lines) Byte(number, column int) int {
	return l.bom + l.In(number, column)
}

// In is Byte without the byte order mark: an offset of Text.
func (l *Lines) In(number, column int) int { return int(l.starts[number-1]) + l.Offset(number, column) }

// Slice returns the text between two offsets of Byte.
func (l *Lines) Slice(start, end int) string { return l.Text[start-l.bom : end-l.bom] }

// At returns the line, counted from 1, that a byte of Text is in.
func (l *Lines) At(offset int) int {
	return sort.Search(len(l.starts), func(i int) bool { return int(l.starts[i]) > offset })
}

// From returns the text after a position on its line, or "".
func (l *Lines) From(pos model.Position) string {
	if pos.Line < 1 || pos.Line > l.Count() {
		return ""
	}
	return l.Line(pos.Line)[l.Offset(pos.Line, pos.Column):]
}

// Position returns the position of an offset.
func (l *Lines) Position(offset int) model.Position {
	number := l.At(offset)
	return model.Position{Line: number, Column: utf8.RuneCountInString(l.Text[l.starts[number-1]:offset]) + 1}
}

// breakSize returns the length of the line break at the start of s, or 0.
func breakSize(s string) int {
	switch s[0] {
	case '\n':
		return 1
	case '\r':
		if len(s) > 1 && s[1] == '\n' {
			return 2
		}
		return 1
	case 0xc2:
		if strings.HasPrefix(s, "\u0085") {
			return 2
		}
	case 0xe2:
		if strings.HasPrefix(s, "\u2028") || strings.HasPrefix(s, "\u2029") {
			return 3
		}
	}
	return 0
}

func lastBreakSize(line string) int {
	switch last := len(line) - 1; line[last] {
	case '\n':
		if strings.HasSuffix(line[:last], "\r") {
			return 2
		}
		return 1
	case '\r':
		return 1
	case 0x85: // the last byte of U+0085
		return 2
	}
	return 3 // U+2028, U+2029
}
