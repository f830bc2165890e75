package suite

import (
	"bytes"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/attest/internal/rule"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/source"
)

// text is the text of a suite, with what was found to be wrong in it.
type text struct {
	name     string // the file's display name
	data     []byte
	whole    source.Line // data, prepared to be pointed at many times
	lines    []int       // offsets of the lines of data
	last     spot        // that was asked for
	depth    int         // of nested containers
	findings []finding.Finding
}

// spot is a byte of the text: where it is by lines and columns, which are code points.
type spot struct{ line, column, at int }

func newText(name string, data []byte, depth int) text {
	return text{
		name: name, data: data, whole: source.Line{Number: 1, Bytes: data}.Indexed(),
		lines: lineStarts(data), depth: depth,
	}
}

// report adds a finding at a byte of the text.
func (t *text) report(broken rule.Handle, offset int, message, help string) {
	f := broken.New(message)
	f.Help = help
	t.point(&f, offset)
	t.findings = append(t.findings, f)
}

// maxWord is how much of a word is marked.
const maxWord = 4096

// point gives a finding its place, which begins at a byte of the text: the word there.
func (t *text) point(f *finding.Finding, start int) {
	f.File = t.name
	start = min(start, len(t.data))
	word, _, _ := bytes.Cut(t.data[start:min(start+maxWord, len(t.data))], []byte{'\n'})
	source.Point(f, t.whole, start, start+wordSize(word))
}

// wordSize is the length of the string or the bare word that text begins with.
func wordSize(text []byte) int {
	if len(text) > 0 && text[0] == '"' {
		if end := bytes.IndexByte(text[1:], '"'); end >= 0 {
			return end + 2
		}
	}
	end := bytes.IndexAny(text, ",:{}[]\"' \t\r")
	if end < 0 {
		end = len(text)
	}
	return max(1, end)
}

// offset is the byte at a line and column (code points) of the text. Places are asked for in
// their order mostly: it goes on from the last one in its line.
func (t *text) offset(line, column int) int {
	if line < 1 || line > len(t.lines) {
		return 0
	}
	s := t.last
	if s.line != line || s.column > column {
		s = spot{line, 1, t.lines[line-1]}
	}
	for ; s.column < column && s.at < len(t.data) && t.data[s.at] != '\n'; s.column++ {
		_, size := utf8.DecodeRune(t.data[s.at:])
		s.at += size
	}
	t.last = s
	return s.at
}

// lineStarts lists the offsets at which the lines of a text begin.
func lineStarts(data []byte) []int {
	starts := []int{0}
	for i, c := range data {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}
