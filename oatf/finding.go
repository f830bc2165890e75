package oatf

import (
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Finding is a fault or note at a position of a document. Its fields:
//
//	Rule     string   // id of the rule
//	Severity Severity // the rule's, unless an option changed it
//	Message  string   // lower case, without a full stop
//
//	File      string // display name of the input
//	Line      int    // 1-based; 0: the whole file
//	Column    int    // 1-based, in code points; 0: unknown
//	EndLine   int    // 0: the same as Line
//	EndColumn int    // exclusive; 0: unknown, the caret marks one code point
//	Path      string // the member, as in "event.supports[0].span"
//
//	Index    *int64   // number of the event (idx, sequence number), if any
//	Expected string   // expected value
//	Found    string   // actual value
//	Notes    []string // further sentences
//	Help     string   // suggestion
//	CausedBy string   // "rule@line" of the root cause
//	Fix      *Fix     // suggested edit, or nil
//
//	Detail Detail  // family-specific part, or nil
//	Source Snippet // source line; not part of the JSON form
type Finding = finding.Finding

// The severities of findings, in increasing order. Only SeverityError makes a document invalid.
const (
	SeverityInfo    = finding.Info
	SeverityWarning = finding.Warning
	SeverityError   = finding.Error
)

// Detail is the OATF-specific part of a finding. Its fields:
//
//	Kind      string   // "parse", "validation", "warning" or "lint"
//	ParseKind string   // "syntax", "type_mismatch" or "unknown_variant"
//	SpecRef   string   // the clause, if the rule has several
//	Also      []Breach // other rules that the fault breaks
//	Repeats   string   // of an element made by Elements: the rule of the original finding
type Detail = model.Detail

// Narrow returns the parts of a finding that keep accepts: the finding with the accepted breaches or, if the
// finding itself is rejected, one finding per accepted breach.
func Narrow(f Finding, keep func(Finding) bool) []Finding { return model.Narrow(f, keep) }

// Rule is a row of the rule table.
type Rule = finding.Rule
