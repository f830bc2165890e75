package report

import "github.com/cupel-dev/cupel/finding"

// ruleIndex maps rule ids to rules. Ids that are ambiguous include the specification's revision; an id alone means
// its first rule.
type ruleIndex map[ruleKey]int

type ruleKey struct{ id, revision string }

func indexRules(rules []finding.Rule) ruleIndex {
	index := make(ruleIndex, len(rules))
	for i, r := range rules {
		for _, key := range []ruleKey{{r.ID, r.Revision}, {r.ID, ""}} {
			if _, known := index[key]; !known {
				index[key] = i
			}
		}
	}
	return index
}

func (x ruleIndex) of(id, revision string) (i int, ok bool) {
	if i, ok = x[ruleKey{id, revision}]; !ok {
		i, ok = x[ruleKey{id, ""}]
	}
	return i, ok
}

// command returns the command that explains a rule. The first rule of an id needs no revision.
func (x ruleIndex) command(id, revision string) string {
	if i, _ := x.of(id, revision); i != x[ruleKey{id, ""}] {
		return "cupel explain " + id + " --revision " + revision
	}
	return "cupel explain " + id
}
