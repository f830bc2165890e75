package oatf

import (
	"slices"

	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/lint"
)

// Rules returns the rules of the package: the parse faults P, the conformance rules V,
// the warnings W, the rules S about suppressions and the lint rules L. Each bad example
// is a document that triggers the rule, each good one the same document mended.
func Rules() []Rule {
	return slices.Concat(rules.Complete(revision.All[0].Rules.Table()), lint.Rules())
}
