// Package lint finds probable mistakes that OATF's conformance rules allow: indicators that never match,
// unreachable phases, and violations of the format's JSON Schema.
//
// Its rules (L-101, …) are all warnings. It requires parsed documents and does not repeat Validate's findings.
package lint

import (
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/internal/findings"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Document applies all lint rules. Findings are in source order, or by path for an unparsed document.
func Document(doc *model.Document) []finding.Finding { return withMarks(doc, run(doc, checks)) }

// Always applies the few rules that are useful even if lint was not requested.
func Always(doc *model.Document) []finding.Finding {
	return withMarks(doc, run(doc, alwaysChecks))
}

// checks are all checks; some find violations of several rules.
var checks = []func(*view.Document, *reporter){
	lintPatterns,
	lintOwnPayload,
	lintWrappedTargets,
	lintAnchors,
	lintMappings,
	lintAnswers,
	lintExamples,
	lintTiers,
	lintGeneratedIDs,
	lintGeneratedNames,
	lintTriggers,
	lintReferences,
	lintRepeatedExtractors,
	lintResponses,
	lintLooseResponses,
	lintResponseKeys,
	lintStates,
	lintActions,
	lintMatches,
	lintEnvelope,
	lintPhaseSchema,
	lintIndicatorSchema,
	lintWording,
	lintNulls,
	lintPayloadPaths, // last, because the limit of findings drops these first, of which there can be many
}

var alwaysChecks = []func(*view.Document, *reporter){lintTiers, lintGeneratedIDs, lintGeneratedNames}

func run(doc *model.Document, checks []func(*view.Document, *reporter)) []finding.Finding {
	d := view.Of(doc)
	out := &reporter{findings.New(doc), d.Profile}
	for _, check := range checks {
		check(d, out)
	}
	return out.Warnings()
}
