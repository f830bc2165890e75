package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/finding"
)

// Finding is a finding with values clipped to [MaxValue].
type Finding struct {
	ID       string // on the page
	Severity finding.Severity
	Rule     string
	RuleID   string // rule's id on the page
	Message  string

	File         string
	Inside       string // file inside the archive File; line and column refer to it
	Line, Column int
	Path         string

	Expected, Found string
	Remarks         []Remark
	Source          Source
	CausedBy        string // "rule@line"
	Cause           string // id of that finding, or "" if it is not on the page
	Seen            string // id of the view element for its line, or ""
}

// Remark is a note or hint below a finding.
type Remark struct{ Name, Text string }

// Source is an excerpt of a source line around a finding.
type Source struct{ Before, Marked, After string }

// Icon returns the severity symbol.
func (f Finding) Icon() string {
	return [...]string{finding.Info: "●", finding.Warning: "▲", finding.Error: "✕"}[f.Severity]
}

// Compares reports whether the finding has expected and found values.
func (f Finding) Compares() bool { return f.Expected != "" || f.Found != "" }

// in returns the file that the line number refers to.
func (f *Finding) in() string { return cmp.Or(f.Inside, f.File) }

// withhold removes everything from a finding that can repeat input values, except digests and
// numbers.
func (f *Finding) withhold() {
	f.Source = Source{}
	if !finding.Harmless(f.Expected) || !finding.Harmless(f.Found) {
		f.Expected, f.Found = "", ""
	}
	f.Remarks = slices.DeleteFunc(f.Remarks, func(r Remark) bool { return r.Name == "note" })
}

// findingBytes is the size of a finding without its texts.
const findingBytes = 100

func (f *Finding) size() int {
	n := findingBytes + len(f.Rule) + len(f.Message) + len(f.File) + len(f.Inside) + len(f.Path) + len(f.Expected) + len(f.Found) + len(f.CausedBy) +
		len(f.Source.Before) + len(f.Source.Marked) + len(f.Source.After)
	for _, r := range f.Remarks {
		n += len(r.Name) + len(r.Text)
	}
	return n
}

// Place returns the finding's location in the section of a subject.
func (f Finding) Place(subject string) string {
	var parts []string
	if f.File != subject && f.File != "" {
		parts = append(parts, value(f.File))
	}
	if f.Inside != "" {
		parts = append(parts, value(f.Inside))
	}
	if f.Line > 0 {
		at := fmt.Sprintf("line %d", f.Line)
		if f.Column > 0 {
			at += fmt.Sprintf(", column %d", f.Column)
		}
		parts = append(parts, at)
	}
	return strings.Join(parts, ", ")
}

// snippet splits a source line at the caret.
func snippet(s finding.Snippet) Source {
	if s.Text == "" {
		return Source{}
	}
	text := []rune(s.Text)
	from := min(max(s.Caret, 0), len(text))
	to := min(from+max(s.Width, 1), len(text))
	return Source{string(text[:from]), string(text[from:to]), string(text[to:])}
}
