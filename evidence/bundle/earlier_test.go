package bundle_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence/bundle"
)

// TestEarlierStream holds what is said of a stream that takes the place of one that was followed: another file is a
// warning, lost bytes make the answer invalid, and the events are judged in both cases.
func TestEarlierStream(t *testing.T) {
	text, err := os.ReadFile("../../testdata/examples/evidence/run.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		earlier *bundle.Earlier
		rules   []string
		verdict bundle.Verdict
	}{
		{nil, nil, bundle.Valid},
		{&bundle.Earlier{Bytes: 10}, []string{"log.rotated"}, bundle.Valid},
		{&bundle.Earlier{Bytes: 10, Rewritten: true}, []string{"log.rewritten"}, bundle.Invalid},
	} {
		r, err := bundle.Verify(t.Context(), strings.NewReader(string(text)), int64(len(text)), "run.ndjson", bundle.Options{All: true, Earlier: c.earlier})
		if err != nil {
			t.Fatal(err)
		}
		var rules []string
		for _, f := range r.Findings {
			if strings.HasPrefix(f.Rule, "log.") {
				rules = append(rules, f.Rule)
			}
		}
		if !slices.Equal(rules, c.rules) || r.Verdict != c.verdict || r.Events == 0 {
			t.Errorf("%v: %s, %d events, findings %v", c.rules, r.Verdict, r.Events, r.Findings)
		}
	}
}
