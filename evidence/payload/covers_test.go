package payload_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/payload"
	"github.com/cupel-dev/cupel/finding"
)

// TestCovers checks that a finding of the verification that a rule of this package covers is also found here, under
// that rule and at the same line, so leaving out one of the two hides nothing.
func TestCovers(t *testing.T) {
	inputs, _ := statements(eventCases)
	c := payload.NewChecker(payload.Options{})
	covered := map[string]bool{}
	for _, over := range inputs {
		event := laid(t, strings.TrimPrefix(over, "--strict "))
		if sum, err := evidence.ContentHash([]byte(event)); err == nil {
			event = strings.Replace(event, someDigest, sum, 1) // so the hash is not another difference
		}
		report, err := bundle.Verify(t.Context(), strings.NewReader(event), -1, "event", bundle.Options{All: true})
		if err != nil {
			t.Fatal(err)
		}
		said := ofEvent(t, c, event)
		for _, f := range report.Findings {
			detail, _ := f.Detail.(bundle.Detail)
			id, ok := payload.Covers(detail.Detail, detail.Pointer)
			if !ok {
				continue
			}
			covered[detail.Detail] = true
			i := slices.IndexFunc(said, func(own finding.Finding) bool { return own.Rule == id && own.Path == f.Path && own.Line == f.Line })
			if i < 0 || said[i].Severity < f.Severity {
				t.Errorf("%s: %s %s covers %s at %s: %+v", over, f.Severity, id, detail.Detail, f.Path, said)
			}
		}
	}
	if len(covered) < 14 {
		t.Errorf("of the details that are covered, the cases have %v", covered)
	}
	if id, ok := payload.Covers("member.missing", "/datacontenttype"); ok {
		t.Errorf("%s covers what is an info here and an error there", id)
	}
	if _, ok := payload.Covers(evidence.RuleMismatch, "/assaycontenthash"); ok {
		t.Error("a hash that differs is covered")
	}
}
