package commands

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/internal/suggest"
)

// choice is what --select and --ignore let through. An entry is a rule's id, or a
// prefix of ids; letter case is free.
type choice struct {
	only, not map[string]bool // rule ids; nil: the flag was not given
}

// newChoice resolves the flags' values against the known rules: a value that fits
// none would silently choose nothing, so it is an error.
func newChoice(only, not []string, rules []finding.Rule) (c choice, err error) {
	if c.only, err = resolve("select", only, rules); err != nil {
		return c, err
	}
	c.not, err = resolve("ignore", not, rules)
	return c, err
}

func (c choice) keeps(rule string) bool {
	return (c.only == nil || c.only[rule]) && !c.not[rule]
}

// resolve lists the rules that the comma-separated values of a flag name.
func resolve(flag string, values []string, rules []finding.Rule) (map[string]bool, error) {
	if len(values) == 0 {
		return nil, nil
	}
	chosen := map[string]bool{}
	for _, entry := range strings.Split(strings.Join(values, ","), ",") {
		ids := matching(strings.TrimSpace(entry), rules)
		if len(ids) == 0 {
			return nil, &usageError{fmt.Sprintf("--%s %q fits no rule of this command", flag, entry),
				suggest.Hint(entry, ruleIDs(rules))}
		}
		for _, id := range ids {
			chosen[id] = true
		}
	}
	return chosen, nil
}

// matching lists the rule that has the id, or else those whose ids begin with it.
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
	return ids
}
