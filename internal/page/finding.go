package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/finding"
)

// Finding is a finding as the page keeps it: no value longer than [MaxValue].
type Finding struct {
	ID       string // on the page
	Severity finding.Severity
	Rule     string
	RuleID   string // of the rule's text on the page
	Message  string

	File         string
	Inside       string // the file that is packed into File, which line and column are in
	Line, Column int
	Path         string

	Expected, Found string
	Remarks         []Remark
	Source          Source
	CausedBy        string // "rule@line"
	Cause           string // the id of that finding; "": it is not on the page
	Seen            string // the id of what shows its line in the view; "": none does
}

// Remark is a line under a finding: a note, what helps.
type Remark struct{ Name, Text string }

// Source is a piece of a line of the input, cut around the place of a finding.
type Source struct{ Before, Marked, After string }

// Icon is the sign of the severity.
func (f Finding) Icon() string {
	return [...]string{finding.Info: "●", finding.Warning: "▲", finding.Error: "✕"}[f.Severity]
}

// Compares reports whether something was expected and something else found.
func (f Finding) Compares() bool { return f.Expected != "" || f.Found != "" }

// in is the file that the line is one of.
func (f *Finding) in() string { return cmp.Or(f.Inside, f.File) }

// withhold takes out of a finding what may repeat a value of the input, but for digests and
// numbers: what it says beside that names places alone.
func (f *Finding) withhold() {
	f.Source = Source{}
	if !finding.Harmless(f.Expected) || !finding.Harmless(f.Found) {
		f.Expected, f.Found = "", ""
	}
	f.Remarks = slices.DeleteFunc(f.Remarks, func(r Remark) bool { return r.Name == "note" })
}

// findingBytes is what a finding takes beside its texts.
const findingBytes = 100

func (f *Finding) size() int {
	n := findingBytes + len(f.Rule) + len(f.Message) + len(f.File) + len(f.Inside) + len(f.Path) + len(f.Expected) + len(f.Found) + len(f.CausedBy) +
		len(f.Source.Before) + len(f.Source.Marked) + len(f.Source.After)
	for _, r := range f.Remarks {
		n += len(r.Name) + len(r.Text)
	}
	return n
}

// Place is where the finding is, in a section about a subject.
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

// snippet parts a source line at the caret.
func snippet(s finding.Snippet) Source {
	if s.Text == "" {
		return Source{}
	}
	text := []rune(s.Text)
	from := min(max(s.Caret, 0), len(text))
	to := min(from+max(s.Width, 1), len(text))
	return Source{string(text[:from]), string(text[from:to]), string(text[to:])}
}
