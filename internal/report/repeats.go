package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/finding"
)

// shownRepeats limits how often text output shows a rule on lines or events per file, because a wrong format or
// producer version violates it on every line.
const shownRepeats = 5

// lineRules are the prefixes of rules on lines and event content.
var lineRules = []string{"line.", "json.", "EV-", "E-104"}

// repeats counts the findings of those rules in the current file.
type repeats struct {
	file  string
	rules []repeat // in order of appearance
}

type repeat struct {
	rule  string
	times int
}

// beyond counts a finding and reports whether its rule exceeds the limit.
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

// unrepeat writes how many findings of the file were not shown.
func (t *text) unrepeat() {
	for _, r := range t.again.rules {
		if more := r.times - shownRepeats; more > 0 {
			t.text(t.paint.faint(fmt.Sprintf("  … %d more [%s] (--format short lists them)", more, r.rule)), "\n\n")
		}
	}
	t.again = repeats{}
}
