package lspcmd

import (
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/lsp"
)

// textPlaces converts the lines and columns of findings to offsets.
type textPlaces struct {
	text   string
	starts []int // where the lines begin
	last   struct{ line, column, at int }
}

// yamlBreaks are the line breaks of YAML; JSON has only line feeds.
const yamlBreaks = "\r\n\u0085\u2028\u2029"

// newTextPlaces cuts a text into lines.
func newTextPlaces(text, breaks string) *textPlaces {
	p := &textPlaces{text: text, starts: []int{0}}
	for at := 0; ; {
		next := strings.IndexAny(text[at:], breaks)
		if next < 0 {
			return p
		}
		at += next
		if strings.HasPrefix(text[at:], "\r\n") {
			at++
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
		p.starts = append(p.starts, at)
	}
}

// at returns the offset of a line and column, from 1, or the end. It continues from the last position.
func (p *textPlaces) at(line, column int) int {
	if line < 1 {
		return 0
	}
	if line > len(p.starts) {
		return len(p.text)
	}
	offset, end := p.starts[line-1], len(p.text)
	if line < len(p.starts) {
		end = p.starts[line]
	}
	if line == 1 && strings.HasPrefix(p.text, "\ufeff") {
		offset += len("\ufeff") // which no column counts
	}
	from := 1
	if p.last.line == line && p.last.column <= column {
		from, offset = p.last.column, p.last.at
	}
	for ; from < column && offset < end; from++ {
		_, size := utf8.DecodeRuneInString(p.text[offset:])
		offset += size
	}
	p.last.line, p.last.column, p.last.at = line, from, offset
	return offset
}

// diagnostics converts findings, up to the limit. A finding without an end covers the rest of a word.
func (p *textPlaces) diagnostics(list []finding.Finding) []lsp.Diagnostic {
	list = list[:min(len(list), lsp.MaxDiagnostics)]
	out := make([]lsp.Diagnostic, len(list))
	for i, f := range list {
		start := p.at(f.Line, f.Column)
		end := start
		switch {
		case f.Line == 0:
		case f.EndColumn > 0:
			end = max(start, p.at(max(f.EndLine, f.Line), f.EndColumn))
		default:
			end += wordLength(p.text[start:])
		}
		out[i] = lsp.Diagnostic{Finding: f, Start: start, End: end}
	}
	return out
}

// wordLength returns the length of the word or quoted text at the start of a text, or one character.
func wordLength(text string) int {
	if line, _, _ := strings.Cut(text, "\n"); line != "" && (line[0] == '"' || line[0] == '\'') {
		if end := strings.IndexByte(line[1:], line[0]); end >= 0 {
			return end + 2
		}
	}
	end := strings.IndexAny(text, " \t\r\n:,{}[]\"'")
	switch {
	case end < 0:
		return len(text)
	case end == 0 && text[0] != '\r' && text[0] != '\n':
		return 1
	}
	return end
}
