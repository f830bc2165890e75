package payload_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/payload"
	_ "github.com/cupel-dev/cupel/evidence/payload/reference"
	"github.com/cupel-dev/cupel/finding"
)

// check checks a whole input.
func check(t testing.TB, input string, opt payload.Options) (all []finding.Finding) {
	t.Helper()
	type said struct {
		findings []finding.Finding
		facts    payload.RunFacts
	}
	run := payload.NewRun(evidence.Limits{})
	_, err := evidence.CheckStream(t.Context(), strings.NewReader(input), evidence.Options{MaxFindings: -1}, func() func(*evidence.Result, *said) {
		checker := payload.NewChecker(opt)
		return func(r *evidence.Result, s *said) {
			var err error
			if s.findings, err = checker.Event(nil, r); err != nil {
				t.Error(err)
			}
			s.facts = checker.Facts()
		}
	}, func(r *evidence.Result, s *said) error {
		all = append(all, s.findings...)
		all = append(all, run.Take(r, &s.facts)...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return append(all, run.Finish()...)
}

// example checks a rule's example as its first line says.
func example(t testing.TB, text string) []finding.Finding {
	rest, strict := strings.CutPrefix(text, "# with --strict\n")
	return check(t, rest, payload.Options{Engine: evidence.Both, Strict: strict})
}

// TestRules holds that the rows are whole and that their examples are what they say: the bad
// one breaks the rule, at its severity and with a place, and the good one breaks none.
func TestRules(t *testing.T) {
	id := regexp.MustCompile(`^EV-[1235]\d\d$`)
	before := ""
	for _, r := range payload.Rules() {
		if !id.MatchString(r.ID) || r.ID <= before || r.Title == "" || r.Clause == "" || r.Rationale == "" {
			t.Errorf("%+v: the row is not whole, or not in order", r)
		}
		before = r.ID
		bad := example(t, r.Bad)
		i := slices.IndexFunc(bad, func(f finding.Finding) bool { return f.Rule == r.ID })
		if i < 0 || bad[i].Severity != r.Severity || bad[i].Message == "" || bad[i].Line == 0 && r.ID != "EV-541" {
			t.Errorf("%s: the bad example breaks %+v", r.ID, bad)
		}
		for _, f := range example(t, r.Good) {
			if f.Rule == r.ID || f.Severity != finding.Info || f.Rule != "EV-541" {
				t.Errorf("%s: the good example breaks %+v", r.ID, f)
			}
		}
	}
	if before == "" {
		t.Error("no rules")
	}
}
