package source

import (
	"bytes"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// snipBefore and snipAfter are how many code points a snippet keeps on either side
// of its caret: together about one wide terminal line.
const (
	snipBefore = 50
	snipAfter  = 70
)

// Column returns the 1-based column, in code points, of the byte at offset in line.
// Each byte that is not UTF-8 counts as one.
func Column(line []byte, offset int) int {
	return utf8.RuneCount(line[:min(offset, len(line))]) + 1
}

// Snip makes the place of a finding out of the bytes [start, end) of a line: its
// columns (1-based code points, end exclusive) and the window of the line that a
// report shows. An empty or reversed range marks one code point.
func Snip(line []byte, start, end int) (column, endColumn int, snippet finding.Snippet) {
	start = min(max(start, 0), len(line))
	end = min(max(end, start), len(line))
	column = Column(line, start)
	endColumn = column + max(1, utf8.RuneCount(line[start:end]))
	from := back(line, start, snipBefore)
	to := forward(line, start, snipAfter)
	text := make([]byte, 0, to-from+6)
	caret := utf8.RuneCount(line[from:start])
	if from > 0 {
		text = append(text, "…"...)
		caret++
	}
	text = say.AppendAligned(text, line[from:to])
	if to < len(line) {
		text = append(text, "…"...)
	}
	width := max(1, utf8.RuneCount(line[start:max(start, min(end, to))]))
	return column, endColumn, finding.Snippet{
		Text: string(text), Caret: caret, Width: width,
		Astral: [2]int{astral(line[:start]), astral(line[:end])},
	}
}

// astral counts the code points beyond the basic plane. In UTF-8 they are the ones
// that begin with a byte from 0xf0.
func astral(line []byte) (n int) {
	for _, c := range line {
		if c >= 0xf0 && c <= 0xf4 {
			n++
		}
	}
	return n
}

// Point fills in a finding's place: the bytes [start, end) of a line. In a record of
// several lines it is the physical line that start stands on.
func Point(f *finding.Finding, line Line, start, end int) {
	f.Line = line.Number
	text, before := line.Bytes, line.Column
	start = min(max(start, 0), len(text))
	if feed := bytes.LastIndexByte(text[:start], '\n'); feed >= 0 {
		f.Line += bytes.Count(text[:start], []byte{'\n'})
		text, before = text[feed+1:], 0
		start, end = start-feed-1, end-feed-1
	}
	if feed := bytes.IndexByte(text[start:], '\n'); feed >= 0 {
		text = text[:start+feed]
	}
	f.Column, f.EndColumn, f.Source = Snip(text, start, end)
	f.Column += before
	f.EndColumn += before
}

func back(line []byte, i, runes int) int {
	for ; runes > 0 && i > 0; runes-- {
		_, size := utf8.DecodeLastRune(line[:i])
		i -= size
	}
	return i
}

func forward(line []byte, i, runes int) int {
	for ; runes > 0 && i < len(line); runes-- {
		_, size := utf8.DecodeRune(line[i:])
		i += size
	}
	return i
}
