package app

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/suggest"
)

// choice selects rules by --select and --ignore. An entry is an id or a prefix of ids, in any letter case.
type choice struct {
	only, not map[string]bool // rule ids; nil: the flag was not given
}

// Keeps reports whether findings of a rule are reported.
func (c choice) Keeps(rule string) bool {
	return (c.only == nil || c.only[rule]) && !c.not[rule]
}

// resolve returns the rules that entries select. stray is an entry that matches no rule; callers report it, so that
// a typo does not select nothing.
func resolve(entries []string, rules []finding.Rule) (chosen map[string]bool, stray string) {
	chosen = map[string]bool{}
	for _, entry := range entries {
		ids := matching(entry, rules)
		if len(ids) == 0 {
			return nil, entry
		}
		for _, id := range ids {
			chosen[id] = true
		}
	}
	return chosen, ""
}

// matching returns the rule with the id, or else those whose ids start with entry.
func matching(entry string, rules []finding.Rule) (ids []string) {
	if entry == "" {
		return nil
	}
	for _, r := range rules {
		if strings.EqualFold(r.ID, entry) {
			return []string{r.ID}
		}
		if len(r.ID) > len(entry) && strings.EqualFold(r.ID[:len(entry)], entry) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

func ruleIDs(rules []finding.Rule) []string {
	ids := make([]string, len(rules))
	for i, r := range rules {
		ids[i] = r.ID
	}
	return slices.Compact(ids)
}

// RuleHint suggests a rule with a similar id.
func RuleHint(id string, known []finding.Rule) string {
	return cmp.Or(suggest.Hint(id, ruleIDs(known)), EveryRuleHint)
}

// EveryRuleHint says how to list all rules.
const EveryRuleHint = "`cupel explain --all` lists every rule"
