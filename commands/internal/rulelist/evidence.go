package rulelist

import (
	"slices"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/incident"
	"github.com/cupel-dev/cupel/evidence/lint"
	"github.com/cupel-dev/cupel/evidence/projection"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/finding"
)

// DigestRules returns the rules on digests and on events that record them.
func DigestRules() []finding.Rule {
	return slices.Concat(projection.Rules(), evidence.Rules(), bundle.Rules())
}

// HashRules returns the rules of hashes and bundles.
func HashRules() []finding.Rule { return slices.Concat(evidence.Rules(), bundle.Rules()) }

// EvidenceLintRules returns the rules of the linter and of the verification.
func EvidenceLintRules() []finding.Rule { return slices.Concat(VerifyRules(), lint.Rules()) }

// VerifyRules returns the rules of a verification: the contract's codes, and the hasher's for numbers.
func VerifyRules() []finding.Rule {
	return slices.Concat(bundle.Rules(), incident.Rules(), seal.Rules(), redact.Rules(), evidence.Rules())
}
