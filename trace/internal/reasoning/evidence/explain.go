package evidence

import (
	"bytes"
	"cmp"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
)

// maxExplained limits files that are searched for explanations.
const maxExplained = 1 << 20

// maxShift limits the detected shift of a span.
const maxShift = 64

// Meant holds bytes that have the expected hash, when the cited bytes do not.
type Meant struct {
	Note string // in words: "would match as the whole file"
	Text []byte // the bytes that have the hash
}

// explainFile returns the known damages that explain a hash mismatch. data is nil for a large file.
func explainFile(data []byte, want digest.Sum) []string {
	if note := pointerNote(data, want); note != "" {
		return []string{note}
	}
	return noted(MeantFile(data, want))
}

func noted(m *Meant) []string {
	if m == nil {
		return nil
	}
	return []string{m.Note}
}

// MeantFile returns the original of a damaged file if its hash matches, or nil.
func MeantFile(data []byte, want digest.Sum) *Meant {
	if data == nil {
		return nil
	}
	bom := []byte("\xef\xbb\xbf")
	for _, try := range append([]Meant{
		{asLF, withLF(data)},
		{asCRLF, withCRLF(data)},
		{"without the final line end, which was added", bytes.TrimSuffix(bytes.TrimSuffix(data, []byte{'\n'}), []byte{'\r'})},
		{"with a final newline, which was removed", append(data[:len(data):len(data)], '\n')},
		{"without the byte order mark, which was added", bytes.TrimPrefix(data, bom)},
		{"with a byte order mark, which was removed", append(bom[:len(bom):len(bom)], data...)},
	}, conversions(data)...) {
		if try.Text != nil && digest.Of(try.Text).Equal(want) {
			return &Meant{"would match " + try.Note, try.Text}
		}
	}
	return nil
}

func withLF(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte{'\n'}) }

func withCRLF(data []byte) []byte {
	return bytes.ReplaceAll(withLF(data), []byte{'\n'}, []byte("\r\n"))
}

// explainSpan suggests what a mismatched span meant. data is nil for a large file.
func explainSpan(data []byte, s format.Span, want digest.Sum) []string {
	return noted(MeantSpan(data, s, want))
}

// MeantSpan returns the original of a span if its hash matches, or nil.
func MeantSpan(data []byte, s format.Span, want digest.Sum) *Meant {
	if data == nil {
		return nil
	}
	match := func(data []byte, from, to int64, note string, more ...any) *Meant {
		if from < 0 || from > to || to > int64(len(data)) || !digest.Of(data[from:to]).Equal(want) {
			return nil
		}
		return &Meant{fmt.Sprintf("would match "+note, more...), data[from:to]}
	}
	if from, to, ok := charOffsets(data, s); ok {
		if m := match(data, from, to, "as character offsets: in bytes the span is [%d,%d]", from, to); m != nil {
			return m
		}
	}
	if from, to, ok := utf16Offsets(data, s); ok {
		if m := match(data, from, to, "as UTF-16 offsets: in bytes the span is [%d,%d]", from, to); m != nil {
			return m
		}
	}
	m := cmp.Or(
		match(withCRLF(data), s.From, s.To, asCRLF),
		match(withLF(data), s.From, s.To, asLF),
		match(data, 0, int64(len(data)), "as the whole file"),
		match(data, s.From, s.To+1, "with the end included: a span ends before its second number"),
	)
	for k := int64(1); k <= maxShift && m == nil; k++ {
		for _, shift := range []int64{k, -k} {
			from, to := s.From+shift, s.To+shift
			m = cmp.Or(m, match(data, from, to, "shifted by %+d: the span is [%d,%d]", shift, from, to))
		}
	}
	return m
}

// charOffsets reads a span as code points and returns it in bytes.
func charOffsets(data []byte, s format.Span) (from, to int64, ok bool) {
	return offsets(data, s, func(rune) int64 { return 1 })
}

// utf16Offsets reads a span as UTF-16 code units and returns it in bytes.
func utf16Offsets(data []byte, s format.Span) (from, to int64, ok bool) {
	return offsets(data, s, func(r rune) int64 { return int64(utf16.RuneLen(r)) })
}

func offsets(data []byte, s format.Span, width func(rune) int64) (from, to int64, ok bool) {
	from, to = -1, -1
	units := int64(0)
	for i := 0; ; {
		if units == s.From {
			from = int64(i)
		}
		if units == s.To {
			to = int64(i)
		}
		if i >= len(data) {
			return from, to, from >= 0 && to >= 0
		}
		r, size := utf8.DecodeRune(data[i:])
		i += size
		units += width(r)
	}
}

const (
	asLF   = "with LF line ends: the file was rewritten with CRLF"
	asCRLF = "with CRLF line ends: the file was rewritten with LF"
)
