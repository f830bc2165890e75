package suite

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/finding"
)

// TestTextLaw: a byte of a text has the line and the column that counting from its start gives,
// whatever was asked for before, and they lead back to it.
func TestTextLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "\"word\"", "é", "語", "😀", "\n", "\r\n", " ", strings.Repeat("xé", 3000)}), 1, 40).Draw(t, "pieces")
		data := []byte(strings.Join(pieces, ""))
		s := newText("suite", data, 10)
		for range 20 {
			at := rapid.IntRange(0, len(data)-1).Draw(t, "at")
			for !utf8.RuneStart(data[at]) || data[at] == '\n' || data[at] == '\r' {
				if at == 0 {
					return
				}
				at--
			}
			begin := bytes.LastIndexByte(data[:at], '\n') + 1
			line, column := 1+bytes.Count(data[:at], []byte("\n")), 1+utf8.RuneCount(data[begin:at])
			var f finding.Finding
			if s.point(&f, at); f.Line != line || f.Column != column {
				t.Fatalf("byte %d is at %d:%d, want %d:%d", at, f.Line, f.Column, line, column)
			}
			if got := s.offset(line, column); got != at {
				t.Fatalf("%d:%d is byte %d, want %d", line, column, got, at)
			}
		}
	})
}
