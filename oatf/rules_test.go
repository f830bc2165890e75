package oatf

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// idsOf lists every id that a text gives rise to under a revision.
func idsOf(text string, r Revision, strict bool) []string {
	var ids []string
	for _, f := range Check([]byte(text), CheckOptions{Strict: strict, Revision: r}) {
		for _, e := range f.Detail.(Detail).Elements(f) {
			ids = append(ids, e.Rule)
		}
	}
	return ids
}

// TestRuleExamples runs every bad and good example of each revision's rules under it.
func TestRuleExamples(t *testing.T) {
	for _, revision := range Revisions() {
		count := 0
		for _, r := range RulesOf(revision) {
			if r.Bad == "" {
				if r.ID != "V-002" { // advice, reported as W-001
					t.Errorf("%s: %s has no example", revision, r.ID)
				}
				continue
			}
			count++
			strict := r.Flags == "--strict"
			if ids := idsOf(r.Bad, revision, strict); !slices.Contains(ids, r.ID) {
				t.Errorf("%s: %s: the bad example gives %v:\n%s", revision, r.ID, ids, r.Bad)
			}
			if ids := exampleIDs(r, revision, strict); len(ids) > 0 {
				t.Errorf("%s: %s: the good example gives %v:\n%s", revision, r.ID, ids, r.Good)
			}
		}
		if count < 50 {
			t.Fatalf("%s: only %d rules have examples", revision, count)
		}
		t.Logf("%s: %d rules", revision, count)
	}
}

// exampleIDs is what a good example gives rise to, except for what a rule about semantic
// indicators cannot do without: that they are an experiment.
func exampleIDs(r Rule, revision Revision, strict bool) []string {
	ids := idsOf(r.Good, revision, strict)
	if r.ID != "W-007" && strings.Contains(r.Good, "semantic:") {
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == "W-007" })
	}
	return ids
}

// TestRuleTable holds the tables to their form.
func TestRuleTable(t *testing.T) {
	form := regexp.MustCompile(`^[LPSVW]-\d{3}$`)
	for revision, sizes := range map[Revision]map[byte]int{
		SDK01:   {'P': 3, 'V': 43, 'W': 5, 'S': 4, 'L': 40},
		V202603: {'P': 3, 'V': 49, 'W': 7, 'S': 4, 'L': 42},
	} {
		seen, counts := map[string]bool{}, map[byte]int{}
		for _, r := range RulesOf(revision) {
			if !form.MatchString(r.ID) || seen[r.ID] {
				t.Errorf("%s: id %q is malformed or repeated", revision, r.ID)
			}
			seen[r.ID] = true
			counts[r.ID[0]]++
			if r.Title == "" || r.Rationale == "" || r.Clause == "" {
				t.Errorf("%s: %s lacks its title, rationale or clause", revision, r.ID)
			}
		}
		for group, want := range sizes {
			if counts[group] != want {
				t.Errorf("%s: %d rules %c, expected %d", revision, counts[group], group, want)
			}
		}
	}
}
