package eval

import (
	"fmt"

	"github.com/cupel-dev/cupel/oatf/model"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf"
)

// Finding returns the finding for a matched, failed or skipped indicator. ok is false for other results, and for
// failures caused by unreadable input, which affect all indicators. The caller adds the position in the capture.
// document is the document's display name.
func (v *IndicatorVerdict) Finding(document string, indicator *oatf.Indicator) (f finding.Finding, some bool) {
	switch {
	case v.Result == Matched:
		f = rules[indicatorMatched].New(fmt.Sprintf("%s of %s matched", v.IndicatorID, document))
	case v.Result == Error && v.Err != nil:
		f = rules[indicatorFailed].New(fmt.Sprintf("%s of %s could not be evaluated", v.IndicatorID, document))
	case v.Result == Skipped:
		f = rules[indicatorSkipped].New(fmt.Sprintf("%s of %s was skipped", v.IndicatorID, document))
	default:
		return f, false
	}
	if indicator.Description != nil {
		f.Message += ": " + *indicator.Description
	}
	if v.Evidence != "" {
		f.Notes = []string{v.Evidence}
	}
	detail := Detail{Document: document, Indicator: v.IndicatorID}
	if v.Place != nil {
		detail.Operator = v.Place.Operator
	}
	f.Detail = detail
	return f, true
}

// DiagnosticFinding converts a diagnostic of a verdict to a finding without a position.
func DiagnosticFinding(d oatf.Diagnostic) finding.Finding {
	f := finding.Finding{Rule: d.Code, Severity: finding.Warning, Message: d.Message, Path: d.Path}
	if d.Severity == model.DiagnosticError {
		f.Severity = finding.Error
	}
	return f
}

// LineFinding returns the finding for an unreadable line of a capture, without a position.
func LineFinding(message string) finding.Finding { return rules[badLine].New(message) }

// Detail is the indicator-specific part of a finding. [IndicatorVerdict.Finding] sets the first three members.
type Detail struct {
	Document  string `json:"document"`
	Indicator string `json:"indicator_id"`
	Operator  string `json:"operator,omitempty"` // operator that matched; see [Place]

	Severity string `json:"indicator_severity,omitempty"` // of the indicator, else of the attack
	Looks    string `json:"looks,omitempty"`              // what the indicator looks for, in words
	Context  string `json:"context,omitempty"`            // the messages around the match, in words

	Title string          `json:"-"` // of the indicator as a rule
	Taxa  []finding.Taxon `json:"-"` // that the attack is mapped to
}

// Remarks implements finding.Detail. The message has said the rest.
func (d Detail) Remarks() [][2]string {
	operator := d.Operator
	if d.Looks != "" {
		operator = "" // its words have it
	}
	return [][2]string{{"looks for", d.Looks}, {"operator", operator}, {"severity", d.Severity}, {"context", d.Context}}
}

// SubRule implements finding.SubRuled: each indicator is a rule of its own.
func (d Detail) SubRule() finding.SubRule {
	return finding.SubRule{ID: d.Indicator, Title: d.Title, Severity: d.Severity, Taxa: d.Taxa}
}
