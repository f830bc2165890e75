package oatf

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
)

// Rules returns the rules of all revisions, in the order of their ids. One of which all say
// the same is there once, with the clauses of all; of the others each revision has its own,
// which names it.
//
// One id of a conformance rule may mean different things in two revisions; those of the other
// groups mean the same wherever they occur.
func Rules() (list []Rule) {
	var all finding.Table
	for _, p := range revision.All {
		all = append(all, rowsOf(p)...)
	}
	slices.SortStableFunc(all, rules.InOrder)
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].ID == all[0].ID {
			n++
		}
		list = append(list, together(all[:n])...)
		all = all[n:]
	}
	return rules.Complete(list)
}

// RulesOf returns the rules of a revision, those of SDK01 for "" and for unknown ones: the
// parse faults P, the conformance rules V, the warnings W, the rules S about suppressions and
// the lint rules L. Each bad example is a document of the revision that triggers the rule, each
// good one the same document mended.
func RulesOf(r Revision) []Rule { return rules.Complete(rowsOf(revision.Of(r))) }

func rowsOf(p *profile.Profile) finding.Table {
	table := p.Rules.Table()
	for i := range table {
		table[i].Revision = string(p.Revision)
	}
	return table
}

// together makes one rule of the rows of an id when all revisions have one that says the same.
func together(rows []Rule) []Rule {
	one := rows[0]
	clauses := []string{one.Clause}
	for _, r := range rows[1:] {
		clauses = append(clauses, r.Clause)
		if r.Clause, r.Revision = one.Clause, one.Revision; r != one {
			return rows
		}
	}
	if len(rows) == len(revision.All) {
		one.Clause, one.Revision = strings.Join(slices.Compact(clauses), "; "), ""
	}
	return []Rule{one}
}
