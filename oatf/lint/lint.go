// Package lint finds probable mistakes that OATF's conformance rules allow: indicators that never match,
// unreachable phases, and violations of the format's JSON Schema.
//
// Its rules are L-101 and further. It requires parsed documents and does not repeat Validate's findings.
package lint

import (
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/internal/findings"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Document applies all lint rules. Findings are in source order, or by path for an unparsed document.
func Document(doc *model.Document) []finding.Finding { return withMarks(doc, run(doc, true)) }

// Default applies the rules that do not need --strict.
func Default(doc *model.Document) []finding.Finding { return withMarks(doc, run(doc, false)) }

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
	lintComments,
	lintPayloadKeys,
	lintPayloadPaths, // last, because the limit of findings drops these first, of which there can be many
}

func run(doc *model.Document, strict bool) []finding.Finding {
	d := view.Of(doc)
	out := &reporter{findings.NewStrict(doc, strict), d.Profile}
	for _, check := range checks {
		check(d, out)
	}
	return out.Warnings()
}
