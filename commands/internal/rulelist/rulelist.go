// Package rulelist lists the rules of all packages.
package rulelist

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/commands/internal/verdict"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/incident"
	"github.com/cupel-dev/cupel/evidence/lint"
	"github.com/cupel-dev/cupel/evidence/projection"
	"github.com/cupel-dev/cupel/evidence/proof"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/checkpoint"
	"github.com/cupel-dev/cupel/internal/timestamp"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/conformance"
	"github.com/cupel-dev/cupel/oatf/eval"
	"github.com/cupel-dev/cupel/oatf/expect"
	"github.com/cupel-dev/cupel/trace"
)

// AllRules returns all rules in the order of `cupel explain --all`. Add the table of a new package here.
func AllRules() []finding.Rule { return rulesWith(oatf.Rules()) }

// RulesOfRevision returns all rules, those of OATF for one revision if it is named.
func RulesOfRevision(r oatf.Revision) []finding.Rule {
	if r == "" {
		return AllRules()
	}
	return rulesWith(oatf.RulesOf(r))
}

// rulesWith inserts package oatf's rules into the list of all rules.
func rulesWith(ofDocuments []finding.Rule) []finding.Rule {
	return slices.Concat(
		CheckRules,
		RequireRules,
		verdict.Rules(),
		trace.Rules(),
		checkpoint.Rules(),
		timestamp.Rules(),
		evidence.Rules(),
		bundle.Rules(),
		incident.Rules(),
		lint.Rules(),
		seal.Rules(),
		proof.Rules(),
		redact.Rules(),
		projection.Rules(),
		ofDocuments,
		eval.Rules(),
		conformance.Rules(),
		expect.Rules(),
		attest.Rules(),
	)
}

// RulesNamed returns the rules with an id, ignoring case. Two packages can use the same id with different meanings.
func RulesNamed(id string, rules []finding.Rule) (found []finding.Rule) {
	for _, r := range rules {
		if strings.EqualFold(r.ID, id) {
			found = append(found, r)
		}
	}
	return found
}
