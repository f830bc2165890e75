// Package lint looks for what the conformance rules of OATF allow and no author can have
// meant: indicators that can never match, phases that are never reached, and what only
// the format's JSON Schema forbids.
//
// Its rules have ids of their own (L-101, …) and are all warnings. It judges documents
// that Parse accepted; what Validate says of them is not said again.
package lint

import (
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/internal/findings"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Document applies all lint rules. The findings are in the order of the source; of a
// document that was not parsed, in the order of the paths.
func Document(doc *model.Document) []finding.Finding { return withMarks(doc, run(doc, checks)) }

// Always applies the few rules that are worth a word to everybody, who asked for lint or
// not.
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
	lintPayloadPaths, // the last: the limit of findings cuts off these first, of which a document can have many
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
