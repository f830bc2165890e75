package findings

import (
	"cmp"
	"slices"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/model"
)

// All returns all findings, unordered, with one more about omitted violations and one about omitted warnings.
func (l *List) All() []finding.Finding {
	list := slices.Concat(l.faults, l.violations, l.Warnings())
	if rest, ok := l.leftOut(); ok {
		list = append(list, rest)
	}
	return list
}

// Violations returns the violations in order of detection.
func (l *List) Violations() []finding.Finding { return l.violations }

// Warnings returns the warnings in source order, or by path for an unparsed document. The last one
// counts omitted ones.
func (l *List) Warnings() []finding.Finding {
	slices.SortStableFunc(l.warnings, inOrder)
	if l.moreWarnings == 0 {
		return l.warnings
	}
	return append(slices.Clip(l.warnings), l.rest(l.warnings[len(l.warnings)-1], l.moreWarnings, "warning"))
}

// Result returns the findings in the form of the SDK specification (§3.2): one error per violated rule.
func (l *List) Result() *model.ValidationResult {
	broken := l.brokenRules()
	if rest, ok := l.leftOut(); ok {
		broken = append(broken, rest)
	}
	result := &model.ValidationResult{Warnings: Diagnostics(l.Warnings())}
	for _, f := range broken {
		result.Errors = append(result.Errors, &model.ValidationError{
			Rule: f.Rule, SpecRef: f.Detail.(model.Detail).SpecRef, Message: f.Message, Path: f.Path, Position: placeOf(f), Help: f.Help,
		})
	}
	return result
}

// brokenRules has a finding for each rule that a fault or a violation breaks, in order.
func (l *List) brokenRules() (broken []finding.Finding) {
	for _, f := range l.faults {
		broken = append(broken, f.Detail.(model.Detail).Elements(f)[1:]...)
	}
	for _, f := range l.violations {
		broken = append(broken, f.Detail.(model.Detail).Elements(f)...)
	}
	slices.SortStableFunc(broken, inOrder)
	return broken
}

// leftOut returns a finding with the number of omitted violations, at the position of the last one.
func (l *List) leftOut() (finding.Finding, bool) {
	broken := l.brokenRules()
	if l.moreViolations == 0 || len(broken) == 0 {
		return finding.Finding{}, false
	}
	return l.rest(broken[len(broken)-1], l.moreViolations, "violation"), true
}

// rest converts the last shown finding to a summary of the omitted ones.
func (l *List) rest(f finding.Finding, number int, what string) finding.Finding {
	detail := f.Detail.(model.Detail)
	detail.Also, detail.Repeats, detail.Omitted = nil, "", number
	f.Detail, f.Fix, f.Help = detail, nil, ""
	f.Message = say.Omitted(number, what, l.limit)
	return f
}

func inOrder(a, b finding.Finding) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Rule, b.Rule))
}

// Diagnostics returns warnings in the form of the SDK specification (§7.0).
func Diagnostics(list []finding.Finding) (out []model.Diagnostic) {
	for _, f := range list {
		out = append(out, model.Diagnostic{
			Severity: model.DiagnosticWarning, Code: f.Rule, Path: f.Path, Message: f.Message, Position: placeOf(f), Help: f.Help,
		})
	}
	return out
}

func placeOf(f finding.Finding) model.Position {
	return model.Position{Line: f.Line, Column: f.Column, EndLine: f.EndLine, EndColumn: f.EndColumn}
}
