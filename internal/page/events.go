package page

import (
	"fmt"
	"strings"
)

// Events is the view of verified or linted evidence: the checks of a bundle's verdict, and the events with the
// privacy classes of their values and the extent of their content hashes. Values that should not be shared appear
// only as path, class and length.
type Events struct {
	File  string // file of the events, as in findings
	Total int64  // number of events

	Manifest string      // manifest file, as in findings; "" if the input is not a bundle
	Rests    []EventRest // checks of the verdict on a bundle

	Rows []EventRow
	Left string // which events are shown, if not all
}

// EventRest compares a manifest's value with the computed one.
type EventRest struct {
	What            string
	Recorded, Found string // "" if not recorded or not computed
	Mark            Mark
	Word            string
}

// EventRow is an event, or a placeholder for skipped events.
type EventRow struct {
	Skipped int64 // events not shown here

	Line, EndLine      int
	ID, Type, Number   string
	Time               string
	Mark               Mark   // of the most severe finding
	Hash               Mark   // result of its content hash
	Word               string // result in words
	Computed, Recorded string // if they differ

	Pieces  []EventPiece // its text, possibly truncated
	Bytes   int          // total size
	Cut     int          // bytes after the pieces
	Refused string       // why its text is not shown
	Cleared bool         // nothing sensitive found

	Counts [3]int // values by class: public, sensitive, forbidden
	Recipe string // command that computes the hash
}

// EventPiece is a part of an event's text.
type EventPiece struct {
	Text    string
	Covered bool       // by the content hash
	Class   EventClass // class of the value
	Bytes   int        // size of a hidden value; 0 if shown
	Rule    string     // rule that found something in it
}

// EventClass is a privacy class, or none.
type EventClass uint8

// The classes in order of severity. Text outside of values has none.
const (
	Unclassed EventClass = iota
	Public
	Sensitive
	Forbidden
)

var eventClasses = [...]struct{ name, icon string }{Unclassed: {}, Public: {"public", ""}, Sensitive: {"sensitive", "▲"}, Forbidden: {"forbidden", "✕"}}

// String returns the class name.
func (c EventClass) String() string { return eventClasses[c].name }

// Icon returns the class symbol; public values have none.
func (c EventClass) Icon() string { return eventClasses[c].icon }

func (*Events) Kind() string { return "events" }

// manifestName is the element name of the manifest section.
const manifestName = "manifest"

func (v *Events) PlaceIn(file string, line int) string {
	if v.Manifest != "" && file == v.Manifest {
		return manifestName
	}
	if r := v.row(file, line); r != nil {
		return r.Name()
	}
	return ""
}

// Clears implements [Clearer]: findings about the manifest do not repeat event values.
func (v *Events) Clears(f *Finding) bool {
	if v.Manifest != "" && f.Inside == v.Manifest || f.Line == 0 {
		return true
	}
	r := v.row(f.in(), f.Line)
	return r != nil && r.Cleared
}

// row returns the row of the event on a line, or nil.
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

// Name returns the row's element name.
func (r *EventRow) Name() string { return fmt.Sprintf("e%d", r.Line) }

// Place returns the event's location.
func (r *EventRow) Place() string {
	if r.EndLine > r.Line {
		return fmt.Sprintf("lines %d to %d", r.Line, r.EndLine)
	}
	return fmt.Sprintf("line %d", r.Line)
}

// Tally returns the number of values per class.
func (r *EventRow) Tally() string {
	var parts []string
	for i, c := range []EventClass{Public, Sensitive, Forbidden} {
		if n := r.Counts[i]; n > 0 {
			parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %d %s", c.Icon(), n, c)))
		}
	}
	return strings.Join(parts, ", ")
}

// Between returns the findings on the lines of an event.
func (s *Shown) Between(file string, r EventRow) (list []Finding) {
	if r.EndLine == r.Line {
		return s.In(file, r.Line)
	}
	for line := r.Line; line <= r.EndLine; line++ {
		list = append(list, s.In(file, line)...)
	}
	return list
}
