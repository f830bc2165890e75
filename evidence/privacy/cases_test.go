package privacy_test

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/cupel-dev/cupel/evidence/privacy"
)

// redactCase is an event and what becomes of it.
type redactCase struct {
	Name    string
	Profile string // default, when empty
	Rules   string // all, when empty
	Policy  string // of a file
	Allow   []string
	In      string
	Out     string   // the same as In, when empty
	Changes []string // pointer, class, rule and action, in order
}

func readCases(tb testing.TB) (list []redactCase) {
	tb.Helper()
	text, err := os.ReadFile("../../testdata/evidence/privacy.jsonl")
	if err != nil {
		tb.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var c redactCase
		if err := json.Unmarshal(line, &c); err != nil {
			tb.Fatalf("case %d: %v", len(list)+1, err)
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		tb.Fatal("no cases")
	}
	return list
}

// TestCases runs the case file.
func TestCases(t *testing.T) {
	for _, c := range readCases(t) {
		base := privacy.Default()
		if c.Profile == privacy.ProfileUpstream {
			base = privacy.Upstream()
		}
		p, err := privacy.ParsePolicy("policy.yaml", []byte(c.Policy), base, c.Allow)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		if c.Rules != "" {
			if p, err = p.WithSettings(privacy.Settings{Rules: c.Rules}); err != nil {
				t.Fatal(err)
			}
		}
		e := read([]byte(c.In))
		if e == nil {
			t.Errorf("%s: no event: %s", c.Name, c.In)
			continue
		}
		got := redact(privacy.NewRedactor(p), e)
		if c.Out == "" {
			c.Out = c.In
		}
		if got.text != c.Out || got.swept || !slices.Equal(got.changes, c.Changes) {
			t.Errorf("%s: %s\n got %s %q\nwant %s %q", c.Name, c.In, got.text, got.changes, c.Out, c.Changes)
		}
	}
}
