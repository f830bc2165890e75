package app

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
)

// statistics counts the reported findings by rule. A nil *statistics counts nothing.
type statistics struct {
	rules  func() []finding.Rule
	counts map[ruleCount]int // number of findings without the attribute
	rest   int               // findings that are only counted, whatever their rules
}

type ruleCount struct {
	Rule     string `json:"rule,omitempty"` // absent of findings that are only counted, as is the severity
	Severity string `json:"severity,omitempty"`
	Count    int    `json:"count"`
	Title    string `json:"title"`
}

// statisticsList is the name of the list in a JSON report.
const statisticsList = "statistics"

// newStatistics returns the statistics for --statistics, and adds the list to the report.
func newStatistics(c *cli.Context, run *report.Run) *statistics {
	if !c.Bool("statistics") {
		return nil
	}
	run.Lists = append(slices.Clone(run.Lists), statisticsList)
	return &statistics{rules: run.KnownRules, counts: map[ruleCount]int{}}
}

// add counts a finding once for each rule that it violates.
func (s *statistics) add(f finding.Finding) {
	if s == nil {
		return
	}
	for _, e := range report.Elements([]finding.Finding{f}) {
		s.counts[ruleCount{Rule: e.Rule, Severity: e.Severity.String()}]++
	}
}

// omit counts findings that are reported as one.
func (s *statistics) omit(number int) {
	if s != nil {
		s.rest += number
	}
}

// answers returns the counts in descending order.
func (s *statistics) answers() []report.Answer {
	if s == nil {
		return nil
	}
	titles := map[string]string{}
	for _, r := range s.rules() {
		titles[r.ID] = r.Title
	}
	list := slices.Collect(maps.Keys(s.counts))
	for i, key := range list {
		list[i].Count, list[i].Title = s.counts[key], titles[key.Rule]
	}
	slices.SortFunc(list, func(a, b ruleCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Severity, b.Severity))
	})
	width := 0
	for _, e := range list {
		width = max(width, len(e.Rule))
	}
	answers := make([]report.Answer, len(list), len(list)+1)
	for i, e := range list {
		answers[i] = report.Answer{List: statisticsList, Value: e, Listing: fmt.Sprintf("%7d  %-7s  %-*s  %s\n", e.Count, e.Severity, width, e.Rule, e.Title)}
	}
	if s.rest > 0 {
		e := ruleCount{Count: s.rest, Title: "findings that are only counted; " + say.RaiseHint("--max-findings")}
		answers = append(answers, report.Answer{List: statisticsList, Value: e, Listing: fmt.Sprintf("%7d  %s\n", e.Count, e.Title)})
	}
	return answers
}
