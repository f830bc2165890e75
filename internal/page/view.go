package page

import (
	"fmt"

	"github.com/cupel-dev/cupel/finding"
)

// View is the visual part of a section: a chain, a timeline or a document. Each kind is a plain
// data type in a file of this package, with a template KIND.tmpl (executed with a [Shown]) and
// optional KIND.css and KIND.js, which are included once. A template encloses a list that can be long in
// [Shown.Begin] and [Shown.End].
//
// The code that makes a view must observe its limits (the first 10,000 steps or events and 16 MiB
// of text), and the view reports what it omits.
type View interface{ Kind() string }

// Placer is a view that shows lines, for findings to link to.
type Placer interface {
	// Place returns the element name for a line, for [Shown.ID], or "".
	Place(line int) string
}

// Teller is a view that shows all facts of its section, which then omits them.
type Teller interface{ TellsFacts() }

// Doer is a view that names the damage to its subject, the cause of its first error.
type Doer interface{ Done() []string }

// Clearer is a view of a subject with sensitive values.
type Clearer interface {
	// Clears reports whether a finding's values can be shown.
	Clears(*Finding) bool
}

// FilePlacer is a Placer for a subject with several files.
type FilePlacer interface {
	// PlaceIn returns the element name for a line of a file, or "".
	PlaceIn(file string, line int) string
}

// Shown is the data of a view's template.
type Shown struct {
	View     View
	Findings []Finding // of the section, in order

	folder  *folder
	section int
	at      map[int][]Finding      // by line
	in      map[fileLine][]Finding // by file and line
}

// ID returns a page-wide id for a name in the view. Names must come from the view, never from
// input.
func (s *Shown) ID(name string) string { return fmt.Sprintf("s%d-%s", s.section, name) }

// Begin starts a list in the view's template, whose items [Shown.Next] and [Shown.End] follow. It returns no text.
func (s *Shown) Begin() string {
	s.folder.begin()
	return ""
}

// Next follows an item of a list.
func (s *Shown) Next() string {
	s.folder.next()
	return ""
}

// End follows the items of a list; tag is their element if the list can contain no other, else "".
func (s *Shown) End(tag string) string {
	s.folder.end(tag)
	return ""
}

// Part is the data of a view's subtemplate.
type Part struct {
	*Shown
	Part any
}

// part returns the data for a subtemplate.
func part(s *Shown, of any) Part { return Part{s, of} }

// At returns the findings at a line of the subject, with ids.
func (s *Shown) At(line int) []Finding {
	if s.at == nil {
		s.at = map[int][]Finding{}
		for _, f := range s.Findings {
			s.at[f.Line] = append(s.at[f.Line], f)
		}
	}
	return s.at[line]
}

// In returns the findings at a line of a file.
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

type fileLine struct {
	file string
	line int
}

// Roots returns the first ten errors without a cause in the section.
func (s *Shown) Roots() (list []Finding) {
	const most = 10
	for _, f := range s.Findings {
		if f.Severity == finding.Error && f.CausedBy == "" && len(list) < most {
			list = append(list, f)
		}
	}
	return list
}
