package oatf

import (
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Finding is one fault or note at one place of a document. Its fields:
//
//	Rule     string   // the id of the rule, as in the rule table
//	Severity Severity // the rule's, unless an option changed it
//	Message  string   // what is wrong, in lower case, without a full stop
//
//	File      string // the input's display name
//	Line      int    // 1-based; 0: a fault of the whole file
//	Column    int    // 1-based, in code points; 0: unknown
//	EndLine   int    // 0: the same as Line
//	EndColumn int    // exclusive; 0: unknown, the caret marks one code point
//	Path      string // the member, as in "event.supports[0].span"
//
//	Index    *int64   // the event's own number (idx, sequence number), when it has one
//	Expected string   // for comparisons: what had to stand there
//	Found    string   // … and what stands there
//	Notes    []string // further sentences
//	Help     string   // what to do about it
//	CausedBy string   // "rule@line" of the root cause, for follow-ups
//	Fix      *Fix     // a change of the source that mends it; nil: none is known
//
//	Detail Detail  // what only one family says; nil: nothing
//	Source Snippet // the source line around the place; not part of the JSON form
type Finding = finding.Finding

// The severities of findings, from the least to the most serious. Only SeverityError
// makes a document wrong.
const (
	SeverityInfo    = finding.Info
	SeverityWarning = finding.Warning
	SeverityError   = finding.Error
)

// Detail is what findings about documents say beyond what all findings say. Its fields:
//
//	Kind      string   // "parse", "validation", "warning" or "lint"
//	ParseKind string   // "syntax", "type_mismatch" or "unknown_variant"
//	SpecRef   string   // the clause that the finding rests on, when the rule has several
//	Also      []Breach // other rules that the same fault breaks
//	Repeats   string   // of an element made by Elements: the rule of the finding it belongs to
type Detail = model.Detail

// Narrow returns what is left of a finding when only some of its elements are kept: the
// finding with the breaches that are, or, when the finding itself is not, each breach
// that is as a finding of its own.
func Narrow(f Finding, keep func(Finding) bool) []Finding { return model.Narrow(f, keep) }

// Rule is one row of the rule table.
type Rule = finding.Rule
