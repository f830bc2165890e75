// Package finding defines what every checker of cupel yields: one finding per
// fault, with its rule, its place and a sentence for the reader. A finding is an
// answer, never an error: a library returns findings when it could do its work.
package finding

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// Severity says how much a finding weighs. Only Error changes a verdict.
type Severity uint8

// The severities, from the least to the most serious.
const (
	Info Severity = iota
	Warning
	Error
)

var severityNames = [...]string{Info: "info", Warning: "warning", Error: "error"}

// String returns "info", "warning" or "error".
func (s Severity) String() string { return severityNames[s] }

// MarshalText writes the severity as its name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the name that MarshalText writes.
func (s *Severity) UnmarshalText(text []byte) error {
	i := slices.Index(severityNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown severity %q", text)
	}
	*s = Severity(i)
	return nil
}

// Finding is one fault, or one note, at one place of one input.
//
// Lines and columns are 1-based; a column counts code points. Zero means that the
// finding has no such place (a fault of the whole file has line 0).
type Finding struct {
	Rule     string
	Severity Severity
	Message  string // what is wrong, in lower case, without a full stop

	File      string // the input's display name
	Line      int
	Column    int
	EndLine   int // 0: the same as Line
	EndColumn int // exclusive; 0: unknown, the caret marks one code point
	Path      string

	Index    *int64 // the event's own number (idx, sequence number), when it has one
	Expected string // for comparisons: what had to stand there
	Found    string // … and what stands there
	Notes    []string
	Help     string // what to do about it
	CausedBy string // "rule@line" of the root cause, for follow-ups

	Also    []string // other rules that the same fault breaks, each with a finding of its own
	Repeats string   // the rule of the finding that says the same more exactly: only the JSON formats show both

	Kind      string // oatf: "parse", "validation", "warning" or "lint"
	ParseKind string // oatf: "syntax", "type_mismatch" or "unknown_variant"
	SpecRef   string // the clause that the finding rests on, when the rule has several

	Provisional bool // it went out before the verdict, and falls away when the input is rejected

	Source Snippet // the source line around the place; not part of the JSON form
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

// MarshalJSON writes the members that every JSON report shares. Members with
// nothing to say are left out, but index and caused_by are always there.
func (f Finding) MarshalJSON() ([]byte, error) {
	type form struct {
		Rule        string   `json:"rule"`
		Severity    Severity `json:"severity"`
		File        string   `json:"file,omitempty"`
		Line        int      `json:"line,omitempty"`
		Column      int      `json:"column,omitempty"`
		EndLine     int      `json:"end_line,omitempty"`
		EndColumn   int      `json:"end_column,omitempty"`
		Index       *int64   `json:"index"`
		CausedBy    *string  `json:"caused_by"`
		Path        string   `json:"path"`
		Message     string   `json:"message"`
		Expected    string   `json:"expected,omitempty"`
		Found       string   `json:"found,omitempty"`
		Notes       []string `json:"notes,omitempty"`
		Help        string   `json:"help,omitempty"`
		Kind        string   `json:"kind,omitempty"`
		ParseKind   string   `json:"parse_kind,omitempty"`
		SpecRef     string   `json:"spec_ref,omitempty"`
		Also        []string `json:"also,omitempty"`
		Repeats     string   `json:"repeats,omitempty"`
		Provisional bool     `json:"provisional,omitempty"`
	}
	out := form{
		Rule: f.Rule, Severity: f.Severity, File: f.File, Line: f.Line, Column: f.Column,
		EndLine: f.EndLine, EndColumn: f.EndColumn, Index: f.Index, Path: f.Path,
		Message: f.Message, Expected: f.Expected, Found: f.Found, Notes: f.Notes,
		Help: f.Help, Kind: f.Kind, ParseKind: f.ParseKind, SpecRef: f.SpecRef,
		Also: f.Also, Repeats: f.Repeats, Provisional: f.Provisional,
	}
	if f.CausedBy != "" {
		out.CausedBy = &f.CausedBy
	}
	return json.Marshal(out)
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
