package evidence

import "github.com/cupel-dev/cupel/finding"

// Finding is a fault or note at a position of a stream of events. Its fields:
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

// Severity is the severity of a finding. Only SeverityError affects the verdict.
type Severity = finding.Severity

// The severities, in increasing order.
const (
	SeverityInfo    = finding.Info
	SeverityWarning = finding.Warning
	SeverityError   = finding.Error
)

// Rule is a row of the rule table.
type Rule = finding.Rule
