package page

import (
	"fmt"
	"strings"
)

// Events is the view of evidence that was verified or linted: what the verdict on a bundle rests
// on, and the events in their order, with the classes of what they say and what their content
// hashes cover. A value that should not be shared has its place, class and length alone.
type Events struct {
	File  string // that the lines of the events are in, as findings name it
	Total int64  // events that were looked at

	Manifest string      // the file of the manifest, as findings name it; "": the input is no bundle
	Rests    []EventRest // on what the verdict on a bundle rests

	Rows []EventRow
	Left string // which events are shown, where not all are
}

// EventRest is what a manifest records and what was computed anew.
type EventRest struct {
	What            string
	Recorded, Found string // "": it is not recorded, or was not computed
	Mark            Mark
	Word            string
}

// EventRow is an event, or stands for several that are not shown.
type EventRow struct {
	Skipped int64 // events that are not shown here

	Line, EndLine      int
	ID, Type, Number   string
	Time               string
	Mark               Mark   // of the worst that is said of it
	Hash               Mark   // how its content hash came out
	Word               string // … in words
	Computed, Recorded string // where they differ

	Pieces  []EventPiece // its text, or the beginning
	Bytes   int          // of all of it
	Cut     int          // of those, behind the pieces
	Refused string       // why nothing of its text is shown
	Cleared bool         // nothing was found in it that should not be shared

	Counts [3]int // values by class: public, sensitive, forbidden
	Recipe string // the command that computes the hash
}

// EventPiece is a piece of the text of an event.
type EventPiece struct {
	Text    string
	Covered bool       // by the content hash
	Class   EventClass // of the value that it is
	Bytes   int        // of a value that is not shown; 0: it is
	Rule    string     // what was found in it
}

// EventClass is a class of privacy, of a value or of nothing.
type EventClass uint8

// The classes, from the least to the most serious. What is no value has none.
const (
	Unclassed EventClass = iota
	Public
	Sensitive
	Forbidden
)

var eventClasses = [...]struct{ name, icon string }{Unclassed: {}, Public: {"public", ""}, Sensitive: {"sensitive", "▲"}, Forbidden: {"forbidden", "✕"}}

// String is the name of the class.
func (c EventClass) String() string { return eventClasses[c].name }

// Icon is its sign; that of what everybody may see is none.
func (c EventClass) Icon() string { return eventClasses[c].icon }

// Kind implements [View].
func (*Events) Kind() string { return "events" }

// manifestName is the name of the part about a bundle's manifest.
const manifestName = "manifest"

// PlaceIn implements [FilePlacer].
func (v *Events) PlaceIn(file string, line int) string {
	if v.Manifest != "" && file == v.Manifest {
		return manifestName
	}
	if r := v.row(file, line); r != nil {
		return r.Name()
	}
	return ""
}

// Clears implements [Clearer]: findings about the manifest repeat nothing of the events.
func (v *Events) Clears(f *Finding) bool {
	if v.Manifest != "" && f.Inside == v.Manifest || f.Line == 0 {
		return true
	}
	r := v.row(f.in(), f.Line)
	return r != nil && r.Cleared
}

// row is that of the event on a line, nil when it is not shown.
func (v *Events) row(file string, line int) *EventRow {
	if file != v.File {
		return nil
	}
	for i := range v.Rows {
		if r := &v.Rows[i]; r.Skipped == 0 && r.Line <= line && line <= r.EndLine {
			return r
		}
	}
	return nil
}

// Name names the row within the view.
func (r *EventRow) Name() string { return fmt.Sprintf("e%d", r.Line) }

// Place is where the event stands.
func (r *EventRow) Place() string {
	if r.EndLine > r.Line {
		return fmt.Sprintf("lines %d to %d", r.Line, r.EndLine)
	}
	return fmt.Sprintf("line %d", r.Line)
}

// Tally says how many values there are of each class.
func (r *EventRow) Tally() string {
	var parts []string
	for i, c := range []EventClass{Public, Sensitive, Forbidden} {
		if n := r.Counts[i]; n > 0 {
			parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %d %s", c.Icon(), n, c)))
		}
	}
	return strings.Join(parts, ", ")
}

// Between are the findings on the lines of an event.
func (s *Shown) Between(file string, r EventRow) (list []Finding) {
	if r.EndLine == r.Line {
		return s.In(file, r.Line)
	}
	for line := r.Line; line <= r.EndLine; line++ {
		list = append(list, s.In(file, line)...)
	}
	return list
}
