// Package validate checks documents against the conformance rules V and the warnings W of their revision (SDK
// specification §3.2).
package validate

import (
	"github.com/cupel-dev/cupel/oatf/internal/findings"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Document returns the findings of all checks, including Parse's faults.
func Document(doc *model.Document) *findings.List {
	d, out := view.Of(doc), findings.New(doc)
	for _, check := range checks(newExpressions(out)) {
		check(d, out)
	}
	return out
}

// checks returns all checks. V-003, V-004 and V-020 are checked by Parse. Only the expression checks have state.
func checks(x *expressions) []func(*view.Document, *findings.List) {
	return []func(*view.Document, *findings.List){
		// the document and its envelope: attack.go
		checkVersion,
		checkEnums,
		checkImpact,
		checkCorrelation,
		checkIndicatorsPresent,
		checkSeverityConfidence,
		checkThreshold,
		checkAttackID,
		checkIndicatorConfidence,
		checkDocumentVersion,
		checkFirstKey,
		// of actors, phases and modes: execution.go
		checkPhasesPresent,
		checkTerminalPhases,
		checkFirstState,
		checkPhaseNames,
		checkInheritance,
		checkPhaseModes,
		checkForms,
		checkActors,
		checkModes,
		checkKnownModes,
		// content of phases: phase.go
		checkTriggers,
		checkEvents,
		checkDurations,
		checkExtractors,
		checkActions,
		// of indicators: indicator.go
		checkIndicatorIDs,
		checkDetectionKeys,
		checkSurfaces,
		checkIndicatorActors,
		checkMethods,
		checkSemantics,
		checkKnownProtocols,
		checkProtocolActors,
		// of regular expressions, CEL, JSONPath and paths: expression.go
		x.checkPatterns,
		x.checkCEL,
		x.checkSelectors,
		checkTargets,
		checkPredicates,
		// of template strings: template.go
		checkTemplates,
		// of responses inside state: expression.go and response.go
		x.checkWhens,
		checkResponses,
	}
}
