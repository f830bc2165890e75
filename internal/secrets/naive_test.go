package secrets

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/secrets/naming"
	"github.com/cupel-dev/cupel/internal/secrets/ruleset"
)

// naive tries every rule at every one of its keywords, and remembers nothing between them.
func naive(set *Set, text []byte) (found []Hit) {
	lower := bytes.Clone(text)
	for i, c := range lower {
		lower[i] = naming.Lower(c)
	}
	for _, r := range set.rules.Rules {
		for _, keyword := range r.Keywords {
			for at := 0; ; at++ {
				n := bytes.Index(lower[at:], []byte(keyword))
				if n < 0 {
					break
				}
				at += n
				from, to, ok := r.Find(text, at, nil)
				if ok && !set.rules.Allows(text, from, to, nil) && !bytes.HasPrefix(text[from:], []byte(Stars)) {
					found = append(found, Hit{from, to, r.ID, Secret, "", false})
				}
			}
		}
	}
	return found
}

// spoiled returns a text that looks like a secret of a rule and is none, or is one that can hide another one.
func spoiled(t *rapid.T, r *ruleset.Rule) string {
	keyword := rapid.SampledFrom(r.Keywords).Draw(t, "keyword")
	example := rapid.StringMatching(r.Expression).Draw(t, "example")
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0:
		return keyword
	case 1:
		return strings.ToUpper(keyword)
	case 2:
		return example[:rapid.IntRange(0, len(example)).Draw(t, "length")]
	case 3:
		return keyword + strings.Repeat(rapid.SampledFrom([]string{"a", "0", "aB", "-x", "A1"}).Draw(t, "filler"), rapid.IntRange(0, 60).Draw(t, "length"))
	case 4:
		return keyword + ` = "`
	case 5:
		return keyword + "=xxxxx" + keyword
	}
	return example
}

// TestEveryCandidate: what stands before a secret, however much, does not hide it.
func TestEveryCandidate(t *testing.T) {
	set, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	s := NewScanner(set)
	rules := slices.DeleteFunc(slices.Clone(set.rules.Rules), func(r *ruleset.Rule) bool { return len(r.Keywords) == 0 })
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(rules).Draw(t, "rule")
		var text strings.Builder
		for range rapid.IntRange(0, 3).Draw(t, "stretches") {
			piece := spoiled(t, r) + rapid.SampledFrom([]string{"", "", "", " ", "/", ".", "-", "_", ":", "\n", "=", `"`, "8Q~"}).Draw(t, "between")
			text.WriteString(strings.Repeat(piece, rapid.IntRange(1, 40).Draw(t, "times")))
		}
		text.WriteString(rapid.SampledFrom([]string{"", " ", "\n", "/", `"`}).Draw(t, "before"))
		text.WriteString(rapid.StringMatching(r.Expression).Draw(t, "secret"))
		text.WriteString(rapid.SampledFrom([]string{"", " ", "\n", `"`, "a"}).Draw(t, "after"))
		got := s.Scan([]byte(text.String()))
		if fresh := NewScanner(set).Scan([]byte(text.String())); !slices.Equal(got, fresh) {
			t.Fatalf("in %.300q a used scanner finds %v, a new one %v", text.String(), got, fresh)
		}
		for _, want := range naive(set, []byte(text.String())) {
			if !slices.ContainsFunc(got, func(h Hit) bool { return h.Start <= want.Start && want.End <= h.End }) {
				t.Fatalf("%s: %q at %d is not found in %q; found %v", want.Rule, text.String()[want.Start:want.End], want.Start, text.String(), got)
			}
		}
	})
}
