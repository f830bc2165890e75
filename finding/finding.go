// Package finding defines what every checker of cupel yields: one finding per
// fault, with its rule, its place and a sentence for the reader. A finding is an
// answer, never an error: a library returns findings when it could do its work.
//
// The packages trace, oatf, evidence and attest all return this one type, and each
// has its rules in a Table. What only one of them says of a finding stands in Detail.
package finding

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
)

// Finding is one fault, or one note, at one place of one input.
//
// Lines and columns are 1-based; a column counts code points. Zero means that the
// finding has no such place (a fault of the whole file has line 0).
type Finding struct {
	Rule     string   // the id of the rule, as in the rule table
	Severity Severity // the rule's, unless an option changed it
	Message  string   // what is wrong, in lower case, without a full stop

	File      string // the input's display name
	Line      int    // 1-based; 0: a fault of the whole file
	Column    int    // 1-based, in code points; 0: unknown
	EndLine   int    // 0: the same as Line
	EndColumn int    // exclusive; 0: unknown, the caret marks one code point
	Path      string // the member, as in "event.supports[0].span"

	Index    *int64   // the event's own number (idx, sequence number), when it has one
	Expected string   // for comparisons: what had to stand there
	Found    string   // … and what stands there
	Notes    []string // further sentences
	Help     string   // what to do about it
	CausedBy string   // "rule@line" of the root cause, for follow-ups
	Fix      *Fix     // a change of the source that mends it; nil: none is known

	Detail Detail  // what only one family says; nil: nothing
	Source Snippet // the source line around the place; not part of the JSON form
}

// Detail is what one family alone says of its findings: oatf.Detail, trace.Detail. It
// is written as a JSON object, whose members stand at the end of the finding's own.
type Detail interface {
	// Remarks are the lines that a person reads of it, each a name and a value.
	Remarks() [][2]string
}

// Fingerprinter is the Detail of a finding that is known by more than its rule, its file and
// its words: by the same text when its line has moved, and by another one when the same is
// found elsewhere. "" is none.
type Fingerprinter interface{ Fingerprint() string }

// Fingerprint is what the finding is known by, "" when its family has no such text.
func (f *Finding) Fingerprint() string {
	if d, ok := f.Detail.(Fingerprinter); ok {
		return d.Fingerprint()
	}
	return ""
}

// Revised is the Detail of a finding that rests on one of several revisions of a specification,
// in each of which an id may be that of another rule.
type Revised interface{ SpecRevision() string }

// Revision is the revision of the specification that the finding rests on, "" when there is
// but one.
func (f *Finding) Revision() string {
	if d, ok := f.Detail.(Revised); ok {
		return d.SpecRevision()
	}
	return ""
}

// Parted is the Detail of a finding about one of several parts of a file that stand among each
// other, such as the sessions of a log. A place alone does not tell which.
type Parted interface{ Part() string }

// Part names the part of the file that the finding is about, in words: `session "7"`; "" when
// the place says it all.
func (f *Finding) Part() string {
	if d, ok := f.Detail.(Parted); ok {
		return d.Part()
	}
	return ""
}

// Packed is the Detail of a finding in a file that is packed into File, such as a member of an
// archive: line and column are those of that file.
type Packed interface{ Packed() string }

// Inside is the name of the file inside File that the finding is in, "" when it is File itself.
func (f *Finding) Inside() string {
	if d, ok := f.Detail.(Packed); ok {
		return d.Packed()
	}
	return ""
}

// Snippet is the part of a source line that a report shows, cut to size by
// source.Snip so that a finding never keeps a huge line in memory.
type Snippet struct {
	Text  string // valid UTF-8 without control characters; "" when there is none
	Caret int    // code points of Text before the caret
	Width int    // code points under the caret, at least 1

	// Astral counts the code points beyond the basic plane before Column and before
	// EndColumn, in the whole line: what a column in UTF-16 code units has more.
	Astral [2]int
}

// form is a finding as JSON. Members with nothing to say are left out, but index and
// caused_by are always there.
type form struct {
	Rule      string   `json:"rule"`
	Severity  Severity `json:"severity"`
	File      string   `json:"file,omitempty"`
	Line      int      `json:"line,omitempty"`
	Column    int      `json:"column,omitempty"`
	EndLine   int      `json:"end_line,omitempty"`
	EndColumn int      `json:"end_column,omitempty"`
	Index     *int64   `json:"index"`
	CausedBy  *string  `json:"caused_by"`
	Path      string   `json:"path"`
	Message   string   `json:"message"`
	Expected  string   `json:"expected,omitempty"`
	Found     string   `json:"found,omitempty"`
	Notes     []string `json:"notes,omitempty"`
	Help      string   `json:"help,omitempty"`
	Fix       *Fix     `json:"fix,omitempty"`
}

// MarshalJSON writes the members that every JSON report shares, then those of Detail.
func (f Finding) MarshalJSON() ([]byte, error) {
	out := form{
		Rule: f.Rule, Severity: f.Severity, File: f.File, Line: f.Line, Column: f.Column,
		EndLine: f.EndLine, EndColumn: f.EndColumn, Index: f.Index, Path: f.Path,
		Message: f.Message, Expected: f.Expected, Found: f.Found, Notes: f.Notes,
		Help: f.Help, Fix: f.Fix,
	}
	if f.CausedBy != "" {
		out.CausedBy = &f.CausedBy
	}
	text, err := json.Marshal(out)
	if err != nil || f.Detail == nil {
		return text, err
	}
	more, err := json.Marshal(f.Detail)
	if err != nil || bytes.Equal(more, []byte("{}")) {
		return text, err
	}
	return append(append(text[:len(text)-1], ','), more[1:]...), nil
}

// Compare orders findings by line, column, rule, path and message. Findings of
// different inputs are never mixed: inputs keep the order of the operands.
func Compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Message, b.Message),
	)
}

// Sort puts the findings of one input in order and drops exact repetitions.
func Sort(list []Finding) []Finding {
	slices.SortStableFunc(list, Compare)
	return slices.CompactFunc(list, func(a, b Finding) bool { return Compare(a, b) == 0 })
}
