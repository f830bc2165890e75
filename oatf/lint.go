package oatf

import (
	"cmp"
	"slices"

	"github.com/cupel-dev/cupel/internal/finding"
)

// Lint looks for what the conformance rules allow and its author cannot have meant:
// indicators that can never match, phases that are never reached, and what only the
// format's JSON Schema forbids. Its diagnostics have ids of their own (L-101, …), are
// all warnings, and come in the order of the source. Validate never reports them.
//
// Lint judges documents that Parse accepted; what Validate says of them is not said
// again.
func Lint(doc *Document) []Diagnostic { return lint(doc, false) }

// lint runs all lint rules, or those that are worth saying always.
func lint(doc *Document, alwaysOnly bool) []Diagnostic {
	c := newChecker(doc)
	for _, r := range lintRules {
		if r.check != nil && (r.always || !alwaysOnly) {
			r.check(c)
		}
	}
	slices.SortStableFunc(c.warnings, func(a, b Diagnostic) int {
		return cmp.Or(comparePlace(a.Position, b.Position), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Code, b.Code))
	})
	return c.warnings
}

// lintRule is a row of the table of lint rules. A check may find violations of
// several rules; it stands in the row of the first.
type lintRule struct {
	Rule
	check  func(*checker)
	always bool // Check reports it also when not asked for lint
}

// lintRules are the rules beyond the specification, grouped like the files of their
// checks.
var lintRules = slices.Concat(lintIndicatorRules, lintPhaseRules, lintTemplateRules, lintResponseRules, lintSchemaRules)

// lintTable returns the rows as `cupel explain` shows them.
func lintTable() []Rule {
	list := make([]Rule, len(lintRules))
	for i, r := range lintRules {
		r.Severity, r.Clause, r.Flags = finding.Warning, cmp.Or(r.Clause, "cupel"), "--strict"
		if r.always {
			r.Flags = ""
		}
		list[i] = r.Rule
	}
	return list
}
