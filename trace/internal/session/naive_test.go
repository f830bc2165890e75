package session_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/trace/internal/naive"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// TestNaive compares the checker with the naive one on generated logs: they say the same
// of the same lines, and give the same class to a log without errors.
func TestNaive(t *testing.T) {
	other := 0
	rules, classes := map[string]int{}, map[stream.EvidenceClass]int{}
	step, least := racetest.Step(t), 35
	if step > 1 { // fewer logs break fewer rules
		least = 25
	}
	samples(1000/step, func(s sample) {
		a := check(t, s.family, s.lines, 0, session.Options{})
		want, err := naive.Session([]byte(strings.Join(s.lines, "\n")), naive.Options{})
		if err != nil || want.Family != s.family {
			other++ // the damage has made another log of it
			return
		}
		var got []naive.Statement
		for _, f := range a.findings {
			if slices.Contains(naive.SessionRules, f.Rule) {
				got = append(got, naive.Statement{Rule: f.Rule, Severity: f.Severity.String(), Line: f.Line})
				rules[f.Rule]++
			}
		}
		// The driver reads lines itself, so what it cannot read is not said.
		stated := slices.DeleteFunc(want.Statements, func(s naive.Statement) bool { return s.Rule == naive.Unreadable })
		if diff := cmp.Diff(stated, naive.Sorted(got), cmpopts.EquateEmpty()); diff != "" || a.rejected != (want.Integrity == "rejected") {
			t.Errorf("%s, rejected %v (-naive +checker):\n%s\n%s", s.name, a.rejected, diff, strings.Join(s.lines, "\n"))
		}
		if string(a.EvidenceClass) != want.Class {
			t.Errorf("%s: class %q, naive %q", s.name, a.EvidenceClass, want.Class)
		}
		classes[a.EvidenceClass]++
	})
	t.Logf("%d logs passed over, classes %v", other, classes)
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		t.Logf("%5d %s", rules[rule], rule)
	}
	if other > 100 || len(rules) < least {
		t.Errorf("%d logs passed over, and the others break only %d rules: they are one-sided", other, len(rules))
	}
	for n := range 5 {
		racetest.Met(t, fmt.Sprintf("%d different classes", n+1), max(0, len(classes)-n))
	}
}
