package lsp

import (
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// Encoding is the unit in which the protocol counts characters.
type Encoding uint8

const (
	UTF16 Encoding = iota // UTF-16 code units, the default
	UTF8                  // bytes
)

var encodingNames = [...]string{UTF16: "utf-16", UTF8: "utf-8"}

type text struct {
	all    string
	index  sync.Once
	starts []int32 // line starts

	counted sync.Once
	marks   []int32 // UTF-16 code units before each block, because a line can be the whole text
}

// block is the number of bytes between marks.
const block = 1024

func newText(all string) *text { return &text{all: all} }

// lines returns the offsets of line starts. Lines end with LF, CR or CR LF.
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

// line returns the range of line n, without its end.
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

// offset returns the byte offset of a position. Positions past the end of a line or of the text
// mean that end; one within a code point means its start.
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

// units returns the number of UTF-16 code units before offset at.
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

// unitsAt returns the UTF-16 length of the code point that starts with b, or 0 for a continuation byte.
func unitsAt(b byte) int {
	switch {
	case b >= 0xf0:
		return 2
	case b&0xc0 == 0x80:
		return 0
	}
	return 1
}

// position returns the position of a byte offset. Offsets within a line end mean the end of the line.
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

// span returns the range between two byte offsets.
func (t *text) span(start, end int, in Encoding) Range {
	return Range{t.position(start, in), t.position(end, in)}
}

func (t *text) replaced(r Range, by string, in Encoding) *text {
	start := t.offset(r.Start, in)
	end := max(start, t.offset(r.End, in))
	return newText(t.all[:start] + by + t.all[end:])
}
