package fault

import (
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Log is the trace as shown in findings. Its methods are safe for concurrent use.
type Log struct {
	Prefix string // of the paths of an event's members: "event." in the wrapped shape
	// Recall rereads a line for events without line bytes. It is nil if the events have them.
	Recall func(stream.Line) stream.Line
}

// Path returns the path of a member of an event.
func (g *Log) Path(name string) string { return g.Prefix + name }

// Text returns a line with its bytes.
func (g *Log) Text(l stream.Line) stream.Line {
	if g.Recall == nil {
		return l
	}
	return g.Recall(l)
}

// At returns a finding at a position in a line.
func (g *Log) At(l stream.Line, id rule.ID, path string, at Place, message string) finding.Finding {
	return At(g.Text(l), id, path, at, message)
}

// Finding returns a finding at a position in an event's line.
func (g *Log) Finding(w *Where, id rule.ID, path string, at Place, message string) finding.Finding {
	f := g.At(w.Line, id, path, at, message)
	idx := w.Idx
	f.Index = &idx
	return f
}

// Spot copies a position in a line.
func (g *Log) Spot(l stream.Line, at Place) Spot { return SpotOf(g.Text(l), at) }
