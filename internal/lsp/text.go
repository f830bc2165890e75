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

	counted sync.Once
	marks   []int32 // code units of UTF-16 before each block of bytes: a line may be all of the text
}

// block is the distance of the marks.
const block = 1024

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
	target := int64(t.units(start)) + max(p.Character, 0)
	if target >= int64(t.units(end)) {
		return end
	}
	first := sort.Search(len(t.marks), func(i int) bool { return int64(t.marks[i]) > target }) - 1
	at := max(start, first*block)
	for seen := int64(t.units(at)); ; at++ {
		if seen += int64(unitsAt(t.all[at])); seen > target {
			break
		}
	}
	return at
}

// units is how many code units of UTF-16 a part of the text has, up to a byte.
func (t *text) units(at int) int {
	t.counted.Do(func() {
		t.marks = make([]int32, 1, len(t.all)/block+1)
		for i, n := 0, 0; i < len(t.all); i++ {
			if n += unitsAt(t.all[i]); (i+1)%block == 0 {
				t.marks = append(t.marks, int32(n))
			}
		}
	})
	n := int(t.marks[at/block])
	for i := at / block * block; i < at; i++ {
		n += unitsAt(t.all[i])
	}
	return n
}

// unitsAt is how many code units of UTF-16 the code point has that a byte begins; none for a byte
// within one.
func unitsAt(b byte) int {
	switch {
	case b >= 0xf0:
		return 2
	case b&0xc0 == 0x80:
		return 0
	}
	return 1
}

// position is where a byte of the text is; one that ends a line is at the end of that.
func (t *text) position(offset int, in Encoding) Position {
	starts := t.lines()
	offset = min(max(offset, 0), len(t.all))
	n := sort.Search(len(starts), func(i int) bool { return int(starts[i]) > offset }) - 1
	start, end := t.line(n)
	offset = max(start, min(offset, end))
	for offset > start && offset < end && !utf8.RuneStart(t.all[offset]) {
		offset-- // within a code point
	}
	if in == UTF8 {
		return Position{int64(n), int64(offset - start)}
	}
	return Position{int64(n), int64(t.units(offset) - t.units(start))}
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
