package oatf

import (
	"regexp"
	"slices"
	"testing"

	"github.com/cupel-dev/cupel/oatf/lint"
)

// idsOf lists every id that a text gives rise to.
func idsOf(text string, strict bool) []string {
	var ids []string
	for _, f := range Check([]byte(text), CheckOptions{Strict: strict}) {
		for _, e := range f.Detail.(Detail).Elements(f) {
			ids = append(ids, e.Rule)
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
		strict := r.Flags == "--strict"
		if ids := idsOf(r.Bad, strict); !slices.Contains(ids, r.ID) {
			t.Errorf("%s: the bad example gives %v:\n%s", r.ID, ids, r.Bad)
		}
		if ids := idsOf(r.Good, strict); len(ids) > 0 {
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
	form := regexp.MustCompile(`^[LPSVW]-\d{3}$`)
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
	if len(seen) != 3+43+5+2+len(lint.Rules()) {
		t.Errorf("%d rules", len(seen))
	}
}
