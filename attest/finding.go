package attest

import (
	"fmt"

	"github.com/cupel-dev/cupel/attest/internal/rule"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
)

// Finding is one fault or note at one place of a suite or a trace. Its fields:
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

// Detail is what findings about assertions say beyond what all findings say.
type Detail struct {
	Trace string `json:"trace,omitempty"` // the trace that the assertion was evaluated on
}

// Remarks implements finding.Detail. The message has said it.
func (Detail) Remarks() [][2]string { return nil }

// Severity says how much a finding weighs: only SeverityError changes a verdict.
type Severity = finding.Severity

// The severities, from the least to the most serious.
const (
	SeverityInfo    = finding.Info
	SeverityWarning = finding.Warning
	SeverityError   = finding.Error
)

// Rule is one row of the rule table.
type Rule = finding.Rule

// Rules returns the rule table of suites, traces and results. The examples are suites in
// YAML, or a trace; those of results are evaluated on a trace whose output.message is
// "Done.".
func Rules() []Rule { return rule.Table }

// UnusedRecordings is the finding about recorded answers of models that a whole run has not
// asked for: the names of their files in a folder.
func UnusedRecordings(dir string, names []string) Finding {
	const most = 3
	list := wording.JoinNames(names[:min(len(names), most)])
	if more := len(names) - most; more > 0 {
		list += say.More(more)
	}
	f := rule.CassetteUnused.New(fmt.Sprintf("nothing has asked for %d of the recorded answers: %s", len(names), list))
	f.File, f.Help = dir, "--prune removes them"
	return f
}

// Finding is the finding that the refusal of a trace makes, or of its evaluation; file is the
// display name of the stream that the trace comes from.
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
	source.Point(&f, source.Line{Number: line, Bytes: text}, at, at+1)
	return f
}
