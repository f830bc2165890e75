package source

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/finding"
)

// TestPoint points at every byte range of texts of several lines and compares with lines
// that were cut beforehand.
func TestPoint(t *testing.T) {
	for _, text := range []string{"", "one", "one\ntwo\n\nfour", "\n", "é\n€😀x\nlast\n", "a\nb"} {
		for start := range len(text) + 1 {
			for end := start; end <= len(text)+1; end++ {
				var got finding.Finding
				Point(&got, Line{Number: 7, Column: 10, Bytes: []byte(text)}, start, end)
				before := strings.Split(text[:start], "\n")
				line := strings.Split(text, "\n")[len(before)-1]
				from := len(before[len(before)-1])
				column := utf8.RuneCountInString(line[:from]) + 1
				if len(before) == 1 {
					column += 10 // other text comes before the record on its first line
				}
				width := max(1, utf8.RuneCountInString(line[from:max(from, min(len(line), from+end-start))]))
				if got.Line != 6+len(before) || got.Column != column || got.EndColumn != column+width {
					t.Errorf("%q [%d,%d): line %d, columns %d to %d; expected %d, %d to %d",
						text, start, end, got.Line, got.Column, got.EndColumn, 6+len(before), column, column+width)
				}
				if got.Source.Text != line && utf8.ValidString(line[:from]) {
					t.Errorf("%q [%d,%d): shows %q", text, start, end, got.Source.Text)
				}
			}
		}
	}
}

// TestPointOutside moves places outside of the text to its ends.
func TestPointOutside(t *testing.T) {
	for _, c := range [][4]int{{-3, 1, 1, 2}, {9, 12, 4, 5}, {2, 1, 3, 4}} {
		var f finding.Finding
		Point(&f, Line{Number: 1, Bytes: []byte("abc")}, c[0], c[1])
		if f.Line != 1 || f.Column != c[2] || f.EndColumn != c[3] {
			t.Errorf("[%d,%d): line %d, columns %d to %d", c[0], c[1], f.Line, f.Column, f.EndColumn)
		}
	}
}

// TestAstral counts the characters that UTF-16 writes as two units.
func TestAstral(t *testing.T) {
	_, _, s := Snip([]byte("a😀\ufffd\U00010000é\U0010ffff"), 8, 14)
	if s.Astral != [2]int{1, 2} {
		t.Errorf("%v", s.Astral)
	}
}

// TestBlockEnds follows blocks of every small size: each knows the start of the next one, and only the last can be
// incomplete. Reading that restarts there goes on the same.
func TestBlockEnds(t *testing.T) {
	const text = "one\ntwo is long\r\n\nx\nthe last has no end"
	for _, whole := range []string{text, text + "\n", "only a long line without an end", "a long line with its end\r\n"} {
		for size := 1; size < 20; size++ {
			for _, limit := range []int{4, 100} {
				checkBlocks(t, whole, size, limit)
			}
		}
	}
}

func checkBlocks(t *testing.T, text string, size, limit int) {
	t.Helper()
	blocks := NewBlocks(strings.NewReader(text), size, limit)
	offset, line := int64(0), 1
	for {
		block, err := blocks.Next(nil)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if block.Offset != offset || block.Line != line {
			t.Fatalf("%q in blocks of %d, limit %d: a block at %d, line %d; expected %d, %d", text, size, limit, block.Offset, block.Line, offset, line)
		}
		offset, line = block.End()
		ended := offset <= int64(len(text)) && text[offset-1] == '\n'
		if block.Whole() != ended {
			t.Fatalf("%q in blocks of %d, limit %d: whole is %v at %d", text, size, limit, block.Whole(), offset)
		}
		if !block.Whole() {
			continue
		}
		rest := NewBlocks(strings.NewReader(text[offset:]), size, limit).From(offset, line)
		if next, err := rest.Next(nil); err == nil && (next.Offset != offset || next.Line != line) {
			t.Fatalf("reading from %d goes on at %d, line %d", offset, next.Offset, next.Line)
		}
	}
}

// TestBlank holds which lines count as blank.
func TestBlank(t *testing.T) {
	for text, want := range map[string]bool{"": true, " \t\r": true, "x": false, " x ": false, "\v": false, "\u00a0": false} {
		if got := (Line{Bytes: []byte(text)}).Blank(); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if (Line{Long: true, Bytes: bytes.Repeat([]byte(" "), 5)}).Blank() {
		t.Error("a line of which only the beginning is known")
	}
}

// TestReaderStops leaves a stream early.
func TestReaderStops(t *testing.T) {
	var seen []string
	for line, err := range NewReader(strings.NewReader("a\nb\nc\n"), 0).All() {
		if err != nil {
			t.Fatal(err)
		}
		if seen = append(seen, fmt.Sprint(line.Number, string(line.Bytes))); len(seen) == 2 {
			break
		}
	}
	if strings.Join(seen, " ") != "1a 2b" {
		t.Errorf("%q", seen)
	}
}
