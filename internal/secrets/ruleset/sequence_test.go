package ruleset

import (
	"bytes"
	"regexp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSequence: a sequence matches what its expression does, for texts that the expression was drawn for and
// for what is left of them after a change.
func TestSequence(t *testing.T) {
	set, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	rules := slices.DeleteFunc(slices.Clone(set.Rules), func(r *Rule) bool { return r.sequence == nil })
	if len(rules) < 150 {
		t.Errorf("%d rules are sequences, expected at least 150", len(rules))
	}
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(rules).Draw(t, "rule")
		text := rapid.StringMatching(r.compiled().String()).Draw(t, "text") + rapid.SampledFrom([]string{"", " ", `"`, `\n`, `\x`, "a", "_", "."}).Draw(t, "after")
		cut := rapid.IntRange(0, len(text)).Draw(t, "cut")
		for _, text := range [][]byte{[]byte(text), []byte(text[:cut])} {
			if bytes.ContainsFunc(text, func(c rune) bool { return c >= 0x80 }) {
				continue
			}
			same(t, r, text, r.compiled())
		}
	})
}

func same(t *rapid.T, r *Rule, text []byte, re *regexp.Regexp) {
	from, to, end, ok := r.sequence.match(text)
	m := re.FindSubmatchIndex(text)
	if ok != (m != nil) {
		t.Fatalf("%s: %q matches: %v, its expression %v", r.ID, text, ok, m)
	}
	if !ok {
		return
	}
	if a, b := r.secret(m); a != from || b != to || m[1] != end {
		t.Fatalf("%s: %q matches %d to %d, end %d; its expression %v", r.ID, text, from, to, end, m)
	}
}
