package source

import (
	"bytes"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// snipBefore and snipAfter are the code points of context around the caret: together about one wide terminal line.
const (
	snipBefore = 50
	snipAfter  = 70
)

// Column returns the 1-based column, in code points, of a byte offset. Invalid UTF-8 bytes count as one each.
func Column(line []byte, offset int) int {
	return utf8.RuneCount(line[:min(offset, len(line))]) + 1
}

// Snip returns the 1-based columns (end exclusive) and a snippet for bytes [start, end) of a line.
// An empty or reversed range marks one code point.
func Snip(line []byte, start, end int) (column, endColumn int, snippet finding.Snippet) {
	start = min(max(start, 0), len(line))
	return snip(line, start, end, place{}.pass(line, start))
}

func snip(line []byte, start, end int, before place) (column, endColumn int, snippet finding.Snippet) {
	end = min(max(end, start), len(line))
	column = before.runes + 1
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
		Astral: [2]int{before.astral, before.astral + astral(line[start:end])},
	}
}

// astral counts code points beyond the basic plane: their first UTF-8 byte is at least 0xf0.
func astral(line []byte) (n int) {
	for _, c := range line {
		if c >= 0xf0 && c <= 0xf4 {
			n++
		}
	}
	return n
}

// Point sets a finding's position to bytes [start, end) of a line. In a multi-line record that is
// start's physical line.
func Point(f *finding.Finding, line Line, start, end int) {
	start = min(max(start, 0), len(line.Bytes))
	before := line.before(start)
	text := line.Bytes[before.begin:]
	start, end = start-before.begin, end-before.begin
	shown := min(len(text), max(start+(snipAfter+1)*utf8.UTFMax, end)) // ignore the rest of a long line
	if feed := bytes.IndexByte(text[start:shown], '\n'); feed >= 0 {
		text = text[:start+feed]
	}
	f.Line = line.Number + before.lines
	f.Column, f.EndColumn, f.Source = snip(text, start, end, before)
	if before.lines == 0 {
		f.Column += line.Column
		f.EndColumn += line.Column
	}
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
