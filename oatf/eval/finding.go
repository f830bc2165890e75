package eval

import (
	"fmt"

	"github.com/cupel-dev/cupel/oatf/model"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf"
)

// Finding is what a reader has to see of the verdict on an indicator: that it matched, that
// it failed, or that it was skipped. There is none for one that did not match, nor for one
// that fails for what could not be read, which concerns all of them alike. The place in
// the capture is the caller's to add. document is the name that the finding has for the
// document, indicator the one that was judged.
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

// DiagnosticFinding is the finding that a diagnostic of a verdict is, without a place in a
// file.
func DiagnosticFinding(d oatf.Diagnostic) finding.Finding {
	f := finding.Finding{Rule: d.Code, Severity: finding.Warning, Message: d.Message, Path: d.Path}
	if d.Severity == model.DiagnosticError {
		f.Severity = finding.Error
	}
	return f
}

// LineFinding is the finding about a line of a capture that cannot be read, without its
// place.
func LineFinding(message string) finding.Finding { return rules[badLine].New(message) }

// Detail is what the findings about indicators say beyond what all findings say.
type Detail struct {
	Document  string `json:"document"`
	Indicator string `json:"indicator_id"`
	Operator  string `json:"operator,omitempty"` // by which it matched, see [Place]
}

// Remarks implements finding.Detail. The message has said the rest.
func (d Detail) Remarks() [][2]string { return [][2]string{{"operator", d.Operator}} }
