package oatf

import (
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
)

// Rules returns the rules of SDK01; see RulesOf.
func Rules() []Rule { return RulesOf(SDK01) }

// RulesOf returns the rules of a revision, those of SDK01 for "" and for unknown ones: the
// parse faults P, the conformance rules V, the warnings W, the rules S about suppressions and
// the lint rules L. Each bad example is a document of the revision that triggers the rule, each
// good one the same document mended.
//
// One id of a conformance rule may mean different things in two revisions; those of the other
// groups mean the same wherever they occur.
func RulesOf(r Revision) []Rule { return rules.Complete(revision.Of(r).Rules.Table()) }
