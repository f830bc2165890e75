package oatf

import "github.com/cupel-dev/cupel/oatf/internal/place"

// Source is a document's text by lines, counted as in findings: YAML line breaks, without a byte order mark.
type Source struct{ lines *place.Lines }

// SourceOf splits a text into lines.
func SourceOf(text []byte) Source { return Source{place.SplitLines(string(text))} }

// Count returns the number of lines, at least 1.
func (s Source) Count() int { return s.lines.Count() }

// Line returns a line, from 1 to Count, without its line break.
func (s Source) Line(number int) string { return s.lines.Line(number) }

// Offset returns the byte offset of a column, counted in code points from 1, at most the line's length.
func (s Source) Offset(number, column int) int { return s.lines.Offset(number, column) }
