package report

import "github.com/cupel-dev/cupel/finding"

// ruleIndex numbers the rules that findings name: by the id, and of several with one id by the
// revision of the specification. An id alone stands for the first that has it.
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

// of is the number of the rule with an id under a revision; ok is false when no rule has the id.
func (x ruleIndex) of(id, revision string) (i int, ok bool) {
	if i, ok = x[ruleKey{id, revision}]; !ok {
		i, ok = x[ruleKey{id, ""}]
	}
	return i, ok
}

// command is what shows a rule: of several with one id, the first needs no revision.
func (x ruleIndex) command(id, revision string) string {
	if i, _ := x.of(id, revision); i != x[ruleKey{id, ""}] {
		return "cupel explain " + id + " --revision " + revision
	}
	return "cupel explain " + id
}
