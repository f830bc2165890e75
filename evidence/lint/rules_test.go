package lint_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/lint"
	"github.com/cupel-dev/cupel/evidence/payload"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/finding"
)

// lintText lints a text and fails on an error.
func lintText(t testing.TB, text string, opt lint.Options) *lint.Report {
	t.Helper()
	report, err := lint.Lint(context.Background(), strings.NewReader(text), int64(len(text)), "x", opt)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// rulesOf are the rules that an example breaks.
func rulesOf(t testing.TB, example string) (ids []string) {
	text, strict := strings.CutPrefix(example, "# with --strict\n")
	opt := lint.Options{NoVerify: true, Payload: payload.Options{Strict: strict}}
	if rest, with := strings.CutPrefix(text, "# with --policy FILE, which is: "); with {
		file, event, _ := strings.Cut(rest, "\n")
		policy, err := privacy.ParsePolicy("policy.yaml", []byte(file), privacy.Default(), nil)
		if err != nil {
			t.Fatal(err)
		}
		text, opt.Policy = event, policy
	}
	for _, f := range lintText(t, text, opt).Findings {
		ids = append(ids, f.Rule)
	}
	return ids
}

// unshown are the rows without an example: no event is known that redaction cannot clean, see TestUncleaned.
var unshown = []string{"EV-405"}

// TestRules: the table is in the order of its ids, each row is complete, and its examples are
// what they say. The examples of package payload are that package's to run alone; here they
// are run together with the rules about privacy, of which they break none.
func TestRules(t *testing.T) {
	examples, before := 0, ""
	for _, r := range lint.Rules() {
		if r.ID <= before {
			t.Errorf("%s comes after %s", r.ID, before)
		}
		before = r.ID
		if r.Title == "" || r.Clause == "" || r.Rationale == "" || (r.Bad == "") != (r.Good == "") || (r.Bad == "") != slices.Contains(unshown, r.ID) {
			t.Errorf("%s: the row is not complete", r.ID)
		}
		if bundle.Rule(r.ID) != nil {
			t.Errorf("%s is a rule of bundles, too", r.ID)
		}
		if r.Bad == "" {
			continue
		}
		examples++
		if ids := rulesOf(t, r.Bad); !slices.Contains(ids, r.ID) {
			t.Errorf("%s: the bad example breaks %q", r.ID, ids)
		}
		ids := rulesOf(t, r.Good)
		if slices.Contains(ids, r.ID) {
			t.Errorf("%s: the good example breaks %q", r.ID, ids)
		}
		if private := slices.IndexFunc(ids, func(id string) bool { return strings.HasPrefix(id, "EV-4") }); private >= 0 && r.Severity != finding.Warning {
			t.Errorf("%s: the good example breaks %s", r.ID, ids[private])
		}
	}
	t.Logf("%d examples", examples)
	if examples < 40 {
		t.Error("too few")
	}
}
