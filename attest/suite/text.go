package suite

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/attest/internal/rule"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/source"
)

// text is the text of a suite, with what was found to be wrong in it.
type text struct {
	name     string // the file's display name
	data     []byte
	lines    []int // offsets of the lines of data
	depth    int   // of nested containers
	findings []finding.Finding
}

// report adds a finding at a byte of the text.
func (t *text) report(broken rule.Handle, offset int, message, help string) {
	f := broken.New(message)
	f.Help = help
	t.point(&f, offset)
	t.findings = append(t.findings, f)
}

// point gives a finding its place, which begins at a byte of the text: the word there.
func (t *text) point(f *finding.Finding, start int) {
	f.File = t.name
	i, found := slices.BinarySearch(t.lines, start)
	if !found {
		i--
	}
	line, _, _ := bytes.Cut(t.data[t.lines[i]:], []byte{'\n'})
	start -= t.lines[i]
	source.Point(f, source.Line{Number: i + 1, Bytes: line}, start, start+wordSize(line[min(start, len(line)):]))
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

// offset is the byte at a line and column (code points) of the text.
func (t *text) offset(line, column int) int {
	if line < 1 || line > len(t.lines) {
		return 0
	}
	at := t.lines[line-1]
	for ; column > 1 && at < len(t.data) && t.data[at] != '\n'; column-- {
		_, size := utf8.DecodeRune(t.data[at:])
		at += size
	}
	return at
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
