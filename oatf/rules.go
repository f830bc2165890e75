package oatf

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
)

// Rules returns the rules of all revisions by id. Rules that are the same in all revisions appear once, with all
// clauses; others once per revision. Only the ids of conformance rules can have different meanings in different
// revisions.
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

// RulesOf returns a revision's rules (SDK01 by default): parse errors P, conformance rules V, warnings W,
// suppression rules S and lint rules L. Each bad example triggers the rule; each good one is the corrected
// document.
func RulesOf(r Revision) []Rule { return rules.Complete(rowsOf(revision.Of(r))) }

func rowsOf(p *profile.Profile) finding.Table {
	table := p.Rules.Table()
	for i := range table {
		table[i].Revision = string(p.Revision)
	}
	return table
}

// together merges the rows of an id if they are the same in all revisions.
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
