package bundle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
)

// TestRules holds that the rows are complete and that the examples are what they
// say.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	examples := 0
	for _, r := range bundle.Rules() {
		if seen[r.ID] {
			t.Errorf("%s: two rows have this id", r.ID)
		}
		seen[r.ID] = true
		if r.Title == "" || r.Class == "" || r.Clause == "" || r.Rationale == "" || (r.Bad == "") != (r.Good == "") {
			t.Errorf("%s: the row is not complete", r.ID)
		}
		if !strings.HasPrefix(r.ID, strings.TrimSuffix(r.Class, "s")) && r.Clause != r.Flags {
			t.Errorf("%s is of the class %s", r.ID, r.Class)
		}
		if r.Bad == "" {
			continue
		}
		examples++
		if ids := rulesOf(t, r.Bad); !slices.Contains(ids, r.ID) {
			t.Errorf("%s: the bad example triggers %q", r.ID, ids)
		}
		if ids := rulesOf(t, r.Good); len(ids) > 0 {
			t.Errorf("%s: the good example triggers %q", r.ID, ids)
		}
	}
	if examples == 0 || bundle.Rule("IntegrityIo") == nil || bundle.Rule("integrityio") != nil {
		t.Errorf("%d examples", examples)
	}
}

// rulesOf runs an example as the rule table describes them.
func rulesOf(t *testing.T, example string) (ids []string) {
	t.Helper()
	opt := bundle.Options{All: true, CheckTime: true}
	if rest, found := strings.CutPrefix(example, "# with --limits "); found {
		limits, lines, _ := strings.Cut(rest, "\n")
		var err error
		if opt.Limits, err = evidence.ParseLimits([]byte(limits)); err != nil {
			t.Fatal(err)
		}
		example = lines
	}
	if text, found := strings.CutPrefix(example, "# manifest.json\n"); found {
		_, findings := bundle.ParseManifest([]byte(text), opt.Limits, false)
		for _, f := range findings {
			ids = append(ids, f.Rule)
		}
		return ids
	}
	report, err := bundle.Verify(t.Context(), strings.NewReader(example), -1, "example", opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		ids = append(ids, f.Rule)
	}
	return ids
}
