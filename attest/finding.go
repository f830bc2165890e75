package attest

import (
	"fmt"

	"github.com/cupel-dev/cupel/attest/internal/rule"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
)

// Finding is a fault or note at a position of a suite or trace. Its fields:
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

// Detail is the assertion-specific part of a finding.
type Detail struct {
	Trace string `json:"trace,omitempty"` // evaluated trace
}

func (Detail) Remarks() [][2]string { return nil }

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

// Rules returns the rules on suites, traces and results. Examples are suites in YAML or traces; those on results
// use a trace with output.message "Done.".
func Rules() []Rule { return rule.Table }

// UnusedRecordings returns the finding about recorded model answers that a run did not use.
func UnusedRecordings(dir string, names []string) Finding {
	const most = 3
	list := wording.JoinNames(names[:min(len(names), most)])
	if more := len(names) - most; more > 0 {
		list += say.More(more)
	}
	f := rule.CassetteUnused.New(fmt.Sprintf("the replay did not use %d of the recorded answers: %s", len(names), list))
	f.File, f.Help = dir, "--prune removes them"
	return f
}

// Finding converts an error of the trace or its evaluation. file is the stream's display name.
func (t TraceText) Finding(file string, refused *Error) Finding {
	broken := rule.TraceInvalid
	if refused.Code == CodeProvider || refused.Code == CodeTimeout {
		broken = rule.EvaluationFailed
	}
	f := broken.New(refused.Message)
	f.File, f.Help = file, wording.Help(refused.Data.Detail)
	text, line, at := t.Raw, t.Line, refused.Offset
	if t.Origin != nil {
		text, line, at = t.Origin.Place(refused.Offset)
	}
	switch {
	case line > 0:
		source.Point(&f, source.Line{Number: line, Bytes: text}, at, at+1)
	case t.Origin != nil: // the input is not text
		f.Path = t.Origin.Pointer(refused.Offset)
	}
	return f
}
