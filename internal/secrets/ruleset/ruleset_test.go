package ruleset_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/secrets/ruleset"
)

// TestDefault reads the rules of the pinned library: a new version that brings a rule which cannot be
// tried at a keyword fails here.
func TestDefault(t *testing.T) {
	set, err := ruleset.Default()
	if err != nil {
		t.Fatal(err)
	}
	origins := map[ruleset.Origin]int{}
	for _, r := range set.Rules {
		origins[r.Origin]++
	}
	if origins[ruleset.Library] < 205 || origins[ruleset.Own] < 38 {
		t.Errorf("%v rules, expected at least 205 of the library and 38 of this project", origins)
	}
}

// TestExpressions makes texts that each rule's expression matches, and expects the rule to find a
// secret in most: what it passes over is allowed, or has too little entropy.
func TestExpressions(t *testing.T) {
	set, err := ruleset.Default()
	if err != nil {
		t.Fatal(err)
	}
	ascii := 0
	for _, r := range set.Rules {
		tried, found := 0, 0
		gen := rapid.StringMatching(r.Expression)
		for seed := range 80 {
			text := gen.Example(seed)
			if strings.ContainsFunc(text, func(c rune) bool { return c >= 0x80 }) {
				continue // a few letters fold to ASCII
			}
			tried++
			line := []byte("> " + text + "\n")
			for start := range line {
				if hasKeyword(r, line[start:]) {
					if from, to, ok := r.Find(line, start, nil); ok && from < to {
						found++
						break
					}
				}
			}
		}
		ascii += tried
		if r.Origin == ruleset.Library && tried > 0 && found == 0 && r.ID != "facebook-access-token" && r.ID != "generic-api-key" {
			t.Errorf("%s finds none of %d texts that it matches", r.ID, tried)
		}
	}
	if ascii == 0 {
		t.Fatal("no texts were tried")
	}
}

func hasKeyword(r *ruleset.Rule, text []byte) bool {
	for _, keyword := range r.Keywords {
		if len(text) >= len(keyword) && strings.EqualFold(string(text[:len(keyword)]), keyword) {
			return true
		}
	}
	return false
}

func TestWith(t *testing.T) {
	for _, c := range []struct{ toml, fault string }{
		{"[[rules]]\nid='a'\nregex='''\\b(acme_[a-z]{8})\\b'''\n", ""},
		{"[[rules]]\nid='a'\nregex='''[a-z]{8}'''\n", "keywords"},
		{"[[rules]]\nid='a'\nregex='''(acme'''\n", "missing closing"},
		{"[[rules]]\nregex='''acme_'''\n", "no id"},
		{"[[rules]]\nid='a'\n", "no regex"},
		{"[[rules]]\nid='a'\nregex='''acme_x{9}'''\nsecretGroup=2\n", "secretGroup 2"},
		{"[[rules]]\nid='a'\nregex='''acme_x{9}'''\nproof='sure'\n", "proof"},
	} {
		form, err := ruleset.Parse(c.toml)
		if err == nil {
			_, err = new(ruleset.Set).With(form, ruleset.Policy)
		}
		if (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%q: %v, expected %q", c.toml, err, c.fault)
		}
	}
}
