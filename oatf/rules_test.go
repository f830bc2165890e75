package oatf

import (
	"errors"
	"regexp"
	"slices"
	"testing"
)

// idsOf lists every id that a text gives rise to.
func idsOf(text string) []string {
	var ids []string
	doc, err := Parse([]byte(text))
	var faults ParseErrors
	if errors.As(err, &faults) {
		for _, f := range faults {
			ids = append(ids, f.ID())
		}
	}
	if doc != nil {
		result := Validate(doc)
		for _, e := range result.Errors {
			ids = append(ids, e.Rule)
		}
		for _, w := range result.Warnings {
			ids = append(ids, w.Code)
		}
	}
	return ids
}

// TestRuleExamples runs every bad and good example of the rule table.
func TestRuleExamples(t *testing.T) {
	count := 0
	for _, r := range Rules() {
		if r.Bad == "" {
			if r.ID != "V-002" { // advice, reported as W-001
				t.Errorf("%s has no example", r.ID)
			}
			continue
		}
		count++
		if ids := idsOf(r.Bad); !slices.Contains(ids, r.ID) {
			t.Errorf("%s: the bad example gives %v:\n%s", r.ID, ids, r.Bad)
		}
		if ids := idsOf(r.Good); len(ids) > 0 {
			t.Errorf("%s: the good example gives %v:\n%s", r.ID, ids, r.Good)
		}
	}
	if count < 50 {
		t.Fatalf("only %d rules have examples", count)
	}
	t.Logf("%d rules", count)
}

// TestRuleTable holds the table to its form.
func TestRuleTable(t *testing.T) {
	form := regexp.MustCompile(`^[PVW]-\d{3}$`)
	seen := map[string]bool{}
	for _, r := range Rules() {
		if !form.MatchString(r.ID) || seen[r.ID] {
			t.Errorf("id %q is malformed or repeated", r.ID)
		}
		seen[r.ID] = true
		if r.Title == "" || r.Rationale == "" || r.Clause == "" {
			t.Errorf("%s lacks its title, rationale or clause", r.ID)
		}
	}
	if len(seen) != 3+43+5 {
		t.Errorf("%d rules", len(seen))
	}
}
