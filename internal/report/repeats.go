package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/finding"
)

// shownRepeats is how often text shows a rule of reading lines, or of events, for one file: a
// file of another kind, or a producer of another version, breaks it on every line, and after
// a few nothing new is said.
const shownRepeats = 5

// lineRules are what the rules of reading lines, and of the content of events, begin with.
var lineRules = []string{"line.", "json.", "EV-", "E-104"}

// repeats counts, for one file after another, the findings by those rules.
type repeats struct {
	file  string
	rules []repeat // in the order in which they came
}

type repeat struct {
	rule  string
	times int
}

// beyond counts a finding, and says whether the rule was shown often enough for its file.
func (r *repeats) beyond(f finding.Finding) bool {
	if !slices.ContainsFunc(lineRules, func(prefix string) bool { return strings.HasPrefix(f.Rule, prefix) }) {
		return false
	}
	r.file = f.File
	i := slices.IndexFunc(r.rules, func(known repeat) bool { return known.rule == f.Rule })
	if i < 0 {
		i = len(r.rules)
		r.rules = append(r.rules, repeat{rule: f.Rule})
	}
	r.rules[i].times++
	return r.rules[i].times > shownRepeats
}

// unrepeat says how many findings of the file were not shown.
func (t *text) unrepeat() {
	for _, r := range t.again.rules {
		if more := r.times - shownRepeats; more > 0 {
			t.text(t.paint.faint(fmt.Sprintf("  … %d more [%s] (--format short lists them)", more, r.rule)), "\n\n")
		}
	}
	t.again = repeats{}
}
