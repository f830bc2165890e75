// Package fault creates the findings of reasoning traces.
package fault

import (
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Place is a byte range of a line, or of a companion file of the trace.
type Place struct{ Start, End int32 }

// PlaceOf returns a value's position.
func PlaceOf(n strictjson.Node) Place {
	start, end := n.Span()
	return Place{int32(start), int32(end)}
}

// Opening returns the first byte of an object or array, for missing members.
func Opening(n strictjson.Node) Place {
	start, _ := n.Span()
	return Place{int32(start), int32(start)}
}

// At returns a finding at a position in a line.
func At(l stream.Line, id rule.ID, path string, at Place, message string) finding.Finding {
	f := id.New(message)
	f.Path = path
	source.Point(&f, l, int(at.Start), int(at.End))
	return f
}

// Spot is a position for a report. It remains valid after the line's bytes are reused.
type Spot struct {
	Line      int             `json:"line"`
	Column    int             `json:"column"`
	EndColumn int             `json:"end_column"`
	Source    finding.Snippet `json:"source"`
}

// SpotOf copies a position in a line.
func SpotOf(l stream.Line, at Place) Spot {
	var f finding.Finding
	source.Point(&f, l, int(at.Start), int(at.End))
	return Spot{f.Line, f.Column, f.EndColumn, f.Source}
}

// Mark sets a finding's position to the spot.
func (s *Spot) Mark(f *finding.Finding) {
	f.Line, f.Column, f.EndColumn, f.Source = s.Line, s.Column, s.EndColumn, s.Source
}

// MaxPreview is the number of bytes of a long value a message repeats.
const MaxPreview = 60

// Preview shortens a value for a message.
func Preview[T string | []byte](value T) string { return say.Preview(value, MaxPreview) }
