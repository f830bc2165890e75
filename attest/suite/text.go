package suite

import (
	"bytes"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/attest/internal/rule"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/internal/unified"
)

// text is a suite's text and its findings.
type text struct {
	name     string      // the file's display name
	data     []byte      // without its byte order mark, which no column counts
	mark     int         // how many bytes that has
	whole    source.Line // data, prepared to be pointed at many times
	lines    []int       // offsets of the lines of data
	last     spot        // that was asked for
	depth    int         // of nested containers
	findings []finding.Finding
	fixes    int // looked for
}

// spot is an offset with its line and column in code points.
type spot struct{ line, column, at int }

func newText(name string, whole []byte, depth int) text {
	data := bytes.TrimPrefix(whole, []byte("\ufeff"))
	return text{
		name: name, data: data, mark: len(whole) - len(data), whole: source.Line{Number: 1, Bytes: data}.Indexed(),
		lines: lineStarts(data), depth: depth,
	}
}

// report adds a finding at a byte of the text.
func (t *text) report(broken rule.Handle, offset int, message, help string) *finding.Finding {
	f := broken.New(message)
	f.Help = help
	t.point(&f, offset)
	t.findings = append(t.findings, f)
	return &t.findings[len(t.findings)-1]
}

// mostFixes limits the findings with a fix, because searching a fix rereads the line.
const mostFixes = 50

// mayMend counts a search for a fix and reports whether it is allowed.
func (t *text) mayMend() bool {
	t.fixes++
	return t.fixes <= mostFixes
}

// mend adds a fix that replaces the word at an offset.
func (t *text) mend(f *finding.Finding, offset int, word, meant string) {
	if f.Fix = suggest.Fix(t.data, offset, word, meant); f.Fix != nil {
		f.Fix.Preview = unified.Preview(t.data, f.Fix.Edits)
		for i := range f.Fix.Edits {
			f.Fix.Edits[i].Start += t.mark
			f.Fix.Edits[i].End += t.mark
		}
	}
}

const maxWord = 4096

// point sets a finding's position to the word at an offset.
func (t *text) point(f *finding.Finding, start int) {
	f.File = t.name
	start = min(start, len(t.data))
	word, _, _ := bytes.Cut(t.data[start:min(start+maxWord, len(t.data))], []byte{'\n'})
	source.Point(f, t.whole, start, start+wordSize(word))
}

// wordSize returns the length of the string or unquoted word at the start of a text.
func wordSize(text []byte) int {
	if len(text) > 0 && (text[0] == '"' || text[0] == '\'') {
		if end := bytes.IndexByte(text[1:], text[0]); end >= 0 {
			return end + 2
		}
	}
	end := bytes.IndexAny(text, ",:{}[]\"' \t\r")
	if end < 0 {
		end = len(text)
	}
	return max(1, end)
}

// offset converts a line and column to an offset. It continues from the last position in the line, because calls
// usually come in order.
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

func lineStarts(data []byte) []int {
	starts := []int{0}
	for i, c := range data {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}
