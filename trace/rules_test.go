package trace_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/trace"
)

// TestRuleExamples verifies the examples of every rule as run folders: the bad one
// breaks the rule and makes the run what the rule's class says, the good one is valid
// and does not break it. Both engines say so.
func TestRuleExamples(t *testing.T) {
	for _, r := range trace.Rules() {
		t.Run(r.ID, func(t *testing.T) {
			bad, good := unpack(t, r.Bad), unpack(t, r.Good)
			want := trace.Valid
			if strings.HasPrefix(r.ID, "transcript.") {
				want = trace.Consistent
			}
			fine := want
			if r.Severity == trace.SeverityError {
				want = trace.Verdict(r.Class)
			}
			if got := bad.verify(t); got.Verdict != want || !breaks(got, r.ID, r.Severity) {
				t.Errorf("bad example: %s, want %s with %s; reported %v", got.Verdict, want, r.ID, reported(got))
			}
			got := good.verify(t)
			if got.Verdict != fine || breaks(got, r.ID, trace.SeverityInfo, trace.SeverityWarning, trace.SeverityError) {
				t.Errorf("good example: %s, want %s without %s; reported %v", got.Verdict, fine, r.ID, reported(got))
			}
		})
	}
}

func breaks(r *trace.Report, rule string, severities ...trace.Severity) bool {
	return slices.ContainsFunc(r.Findings, func(f trace.Finding) bool { return f.Rule == rule && slices.Contains(severities, f.Severity) })
}

func TestRulesAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range trace.Rules() {
		switch {
		case r.ID == "" || r.Title == "" || r.Clause == "" || r.Rationale == "" || r.Bad == "" || r.Good == "":
			t.Errorf("row %q lacks something: %+v", r.ID, r)
		case seen[r.ID]:
			t.Errorf("%s occurs twice", r.ID)
		case (r.Severity == trace.SeverityError) != (r.Class != ""):
			t.Errorf("%s: severity %v with class %q", r.ID, r.Severity, r.Class)
		}
		seen[r.ID] = true
	}
	if len(seen) < 100 {
		t.Errorf("%d rules", len(seen))
	}
}
