package ruleset

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestMachine: a machine matches what its expression does, for texts that the expression was drawn for and
// for what is left of them after a change.
func TestMachine(t *testing.T) {
	set, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	rules := slices.DeleteFunc(slices.Clone(set.Rules), func(r *Rule) bool { return r.machine == nil || r.ID == "sentry-org-token" })
	tells := 0
	for _, r := range rules {
		m := r.machine()
		if m == nil {
			t.Errorf("%s has no machine", r.ID)
		}
		if m != nil && m.from != unknown {
			tells++
		}
	}
	if tells < 250 {
		t.Errorf("%d of %d machines tell where the secret is, expected at least 250", tells, len(rules))
	}
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(rules).Draw(t, "rule")
		text := rapid.StringMatching(r.compiled().String()).Draw(t, "text")
		cut, stop := rapid.IntRange(0, len(text)).Draw(t, "cut"), rapid.IntRange(0, len(text)).Draw(t, "stop")
		after := rapid.SampledFrom([]string{"", " ", `"`, `\n`, `\x`, "a", "_", ".", "\n", "é", "\xff", "=", "-", "A1"}).Draw(t, "after")
		for _, text := range []string{text + after, text[:cut], text[:cut] + after, text[:cut] + after + text[min(cut, stop):]} {
			same(t, r, []byte(text))
		}
	})
}

func same(t *rapid.T, r *Rule, text []byte) {
	m := r.machine()
	end, ok := m.match(text)
	want := r.compiled().FindSubmatchIndex(text)
	if ok != (want != nil) || ok && end != want[1] {
		t.Fatalf("%s: %q matches: %v, up to %d; its expression %v", r.ID, text, ok, end, want)
	}
	if !ok {
		return
	}
	if from, to, ok := m.secret(text[:end]); ok {
		if a, b := r.secret(want); a != from || b != to {
			t.Fatalf("%s: the secret of %q is at %d to %d; of its expression %v", r.ID, text, from, to, want)
		}
	}
}
