// Package finding defines the result of every checker: one finding per fault, with rule, position
// and message. Findings are results, not errors.
//
// The packages trace, oatf, evidence and attest share this type; each has its rules in a Table and
// specific data in Detail.
package finding

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
)

// Finding is a fault or note at a position of an input. Lines and columns are 1-based, columns count code points.
// Zero means no position (line 0: the whole file).
type Finding struct {
	Rule     string   // id of the rule
	Severity Severity // the rule's, unless an option changed it
	Message  string   // lower case, without a full stop

	File      string // display name of the input
	Line      int    // 1-based; 0: the whole file
	Column    int    // 1-based, in code points; 0: unknown
	EndLine   int    // 0: the same as Line
	EndColumn int    // exclusive; 0: unknown, the caret marks one code point
	Path      string // the member, as in "event.supports[0].span"

	Index    *int64   // number of the event (idx, sequence number), if any
	Expected string   // expected value
	Found    string   // actual value
	Notes    []string // further sentences
	Help     string   // suggestion
	CausedBy string   // "rule@line" of the root cause
	Fix      *Fix     // suggested edit, or nil

	Detail Detail  // family-specific part, or nil
	Source Snippet // source line; not part of the JSON form
}

// Detail is the family-specific part of a finding: oatf.Detail, trace.Detail. Its JSON members
// follow the finding's own.
type Detail interface {
	// Remarks returns lines for text output, each a name and a value.
	Remarks() [][2]string
}

// Fingerprinter is a Detail with an explicit fingerprint. It must stay the same when lines move, and differ for the
// same fault elsewhere. "" means none.
type Fingerprinter interface{ Fingerprint() string }

// Fingerprint returns the explicit fingerprint, or "".
func (f *Finding) Fingerprint() string {
	if d, ok := f.Detail.(Fingerprinter); ok {
		return d.Fingerprint()
	}
	return ""
}

// Revised is a Detail that depends on a revision of a specification, because rule ids can differ between revisions.
type Revised interface{ SpecRevision() string }

// Revision returns the revision of the specification that the finding is based on, or "".
func (f *Finding) Revision() string {
	if d, ok := f.Detail.(Revised); ok {
		return d.SpecRevision()
	}
	return ""
}

// Parted is a Detail about one of several interleaved parts of a file, such as the sessions of a
// log, which a line number does not identify.
type Parted interface{ Part() string }

// Part describes the part of the file that the finding is about, such as `session "7"`, or returns "".
func (f *Finding) Part() string {
	if d, ok := f.Detail.(Parted); ok {
		return d.Part()
	}
	return ""
}

// Packed is a Detail about a file inside the archive File: line and column refer to the inner file.
type Packed interface{ Packed() string }

// Inside returns the name of the file inside File, such as an archive member, or "".
func (f *Finding) Inside() string {
	if d, ok := f.Detail.(Packed); ok {
		return d.Packed()
	}
	return ""
}

// SubRuled is a Detail with a rule of its own below the finding's, such as an indicator of an attack document.
type SubRuled interface{ SubRule() SubRule }

// SubRule is a rule below that of a finding.
type SubRule struct {
	ID       string // "" for none
	Title    string
	Severity string  // informational, low, medium, high or critical; "" if not given
	Taxa     []Taxon // of public frameworks, that the rule belongs to
}

// Taxon is an entry of a public framework of attacks or weaknesses, such as ATLAS, CWE or OWASP.
type Taxon struct {
	Framework    string `json:"framework"`
	ID           string `json:"id"`
	Name         string `json:"name,omitempty"`
	URL          string `json:"url,omitempty"`
	Relationship string `json:"relationship,omitempty"` // "primary" or "related"
}

// SubRule returns the rule below the finding's; its ID is "" when there is none.
func (f *Finding) SubRule() SubRule {
	if d, ok := f.Detail.(SubRuled); ok {
		return d.SubRule()
	}
	return SubRule{}
}

// Snippet is a source line, shortened by source.Snip to save memory.
type Snippet struct {
	Text  string // valid UTF-8 without control characters, or ""
	Caret int    // code points of Text before the caret
	Width int    // code points under the caret, at least 1

	// Astral counts the code points before Column and EndColumn that take two UTF-16 code units.
	Astral [2]int
}

// form is the JSON form of a finding. Empty members are omitted, except index and caused_by.
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

// MarshalJSON returns the members common to all reports, followed by those of Detail.
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

// Compare orders findings of one input by line, column, rule, path and message.
func Compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Message, b.Message),
	)
}

// Sort sorts the findings of one input and removes duplicates.
func Sort(list []Finding) []Finding {
	slices.SortStableFunc(list, Compare)
	return slices.CompactFunc(list, func(a, b Finding) bool { return Compare(a, b) == 0 })
}
