package lsp

import (
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// Encoding is in what the protocol counts the characters of a line.
type Encoding uint8

// The encodings that a client may choose from.
const (
	UTF16 Encoding = iota // code units of UTF-16: what a client counts in that says nothing
	UTF8                  // bytes
)

var encodingNames = [...]string{UTF16: "utf-16", UTF8: "utf-8"}

// text is the text of a document at one time.
type text struct {
	all    string
	index  sync.Once
	starts []int32 // where the lines begin
}

func newText(all string) *text { return &text{all: all} }

// lines are the offsets at which the lines begin: behind a line feed, a carriage return or both.
func (t *text) lines() []int32 {
	t.index.Do(func() {
		t.starts = append(t.starts, 0)
		for at := 0; at < len(t.all); {
			row, _, ended := strings.Cut(t.all[at:], "\n")
			for from := 0; ; {
				next := strings.IndexByte(row[from:], '\r')
				if next < 0 || ended && from+next == len(row)-1 {
					break
				}
				from += next + 1
				t.starts = append(t.starts, int32(at+from))
			}
			if at += len(row) + 1; ended {
				t.starts = append(t.starts, int32(at))
			}
		}
	})
	return t.starts
}

// line is the part of the text that a line is, without its end.
func (t *text) line(n int) (start, end int) {
	starts := t.lines()
	start, end = int(starts[n]), len(t.all)
	if n+1 < len(starts) {
		end = int(starts[n+1]) - 1
		if end > start && t.all[end] == '\n' && t.all[end-1] == '\r' {
			end--
		}
	}
	return start, end
}

// offset is the byte at a position. A position behind the end of its line is that end, one
// behind the last line the end of the text, and one within a code point is before it.
func (t *text) offset(p Position, in Encoding) int {
	switch {
	case p.Line < 0:
		return 0
	case p.Line >= int64(len(t.lines())):
		return len(t.all)
	}
	start, end := t.line(int(p.Line))
	if in == UTF8 {
		at := start + int(min(max(p.Character, 0), int64(end-start)))
		for at > start && at < end && !utf8.RuneStart(t.all[at]) {
			at--
		}
		return at
	}
	at, left := start, p.Character
	for at < end {
		r, size := utf8.DecodeRuneInString(t.all[at:end])
		if left -= int64(units(r)); left < 0 {
			break
		}
		at += size
	}
	return at
}

// position is where a byte of the text is; one that ends a line is at the end of that.
func (t *text) position(offset int, in Encoding) Position {
	starts := t.lines()
	offset = min(max(offset, 0), len(t.all))
	n := sort.Search(len(starts), func(i int) bool { return int(starts[i]) > offset }) - 1
	start, end := t.line(n)
	p := Position{Line: int64(n)}
	before := t.all[start:max(start, min(offset, end))]
	if in == UTF8 {
		p.Character = int64(len(before))
		return p
	}
	for _, r := range before {
		p.Character += int64(units(r))
	}
	return p
}

// span is the range of two bytes.
func (t *text) span(start, end int, in Encoding) Range {
	return Range{t.position(start, in), t.position(end, in)}
}

// replaced is the text in which a range has become something else.
func (t *text) replaced(r Range, by string, in Encoding) *text {
	start := t.offset(r.Start, in)
	end := max(start, t.offset(r.End, in))
	return newText(t.all[:start] + by + t.all[end:])
}

// units is how many code units of UTF-16 a code point has.
func units(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}
