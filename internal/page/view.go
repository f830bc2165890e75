package page

import (
	"fmt"

	"github.com/cupel-dev/cupel/finding"
)

// View is what a section shows of its subject beside facts and findings: a chain, a timeline, a
// document. Each is a type of this package in a file of its own, plain data, with a template
// KIND.tmpl beside it, and perhaps KIND.css and KIND.js, which stand on the page when a view of
// that kind does. Its template is executed with a [Shown].
//
// What makes a view holds its limits: at most the first 10,000 steps or events, and 16 MiB of
// text; the view says what it leaves out.
type View interface{ Kind() string }

// Placer is a view that shows lines of its subject, so that findings can point into it.
type Placer interface {
	// Place is the name, as [Shown.ID] takes it, of what shows a line; "": nothing does.
	Place(line int) string
}

// Teller is a view that shows all that the facts of its section say: they are left out beside it.
type Teller interface{ TellsFacts() }

// Doer is a view that tells what was done to its subject, which the first of its errors is but a
// sign of.
type Doer interface{ Done() []string }

// Clearer is a view of a subject with values that should not be shared.
type Clearer interface {
	// Clears says whether what a finding repeats of the subject may be shown.
	Clears(*Finding) bool
}

// FilePlacer is a Placer of a subject that consists of several files, or has files beside it.
type FilePlacer interface {
	// PlaceIn is the name of what shows a line of a file; "": nothing does.
	PlaceIn(file string, line int) string
}

// Shown is what the template of a view is executed with.
type Shown struct {
	View     View
	Findings []Finding // of the section, in order

	section int
	at      map[int][]Finding      // by line
	in      map[fileLine][]Finding // by file and line
}

// ID is an id that is unique on the page, of a name that is unique in the view. The name is
// made by the view, never by a record.
func (s *Shown) ID(name string) string { return fmt.Sprintf("s%d-%s", s.section, name) }

// Part is a part of a view, for a template of its own.
type Part struct {
	*Shown
	Part any
}

// part hands a part of a view to a template.
func part(s *Shown, of any) Part { return Part{s, of} }

// At are the findings at a line of the subject. Each has its ID.
func (s *Shown) At(line int) []Finding {
	if s.at == nil {
		s.at = map[int][]Finding{}
		for _, f := range s.Findings {
			s.at[f.Line] = append(s.at[f.Line], f)
		}
	}
	return s.at[line]
}

// In are the findings at a line of a file.
func (s *Shown) In(file string, line int) []Finding {
	if s.in == nil {
		s.in = map[fileLine][]Finding{}
		for _, f := range s.Findings {
			at := fileLine{f.in(), f.Line}
			s.in[at] = append(s.in[at], f)
		}
	}
	return s.in[fileLine{file, line}]
}

// fileLine is a line of one of several files.
type fileLine struct {
	file string
	line int
}

// Roots are the errors of the section that follow from no other: the first ten of them.
func (s *Shown) Roots() (list []Finding) {
	const most = 10
	for _, f := range s.Findings {
		if f.Severity == finding.Error && f.CausedBy == "" && len(list) < most {
			list = append(list, f)
		}
	}
	return list
}
