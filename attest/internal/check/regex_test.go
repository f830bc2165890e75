package check

import (
	"context"
	"fmt"
	"regexp"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest/internal/attesttest"
	"github.com/cupel-dev/cupel/attest/internal/search"
	"github.com/cupel-dev/cupel/attest/internal/wording"
)

// TestRegexLaw: what a batch of expressions says of a text is what the library says of each:
// whether it matches, what, and where.
func TestRegexLaw(t *testing.T) {
	matches := 0
	rapid.Check(t, func(t *rapid.T) {
		patterns := rapid.SliceOfN(rapid.OneOf(attesttest.Pattern(2), rapid.Map(attesttest.Pattern(2), func(p string) string { return "(?i)" + p })), 1, 12).Draw(t, "patterns")
		x := &search.Text{Value: attesttest.Text(60).Draw(t, "text")}
		var matchers []regexMatcher
		for _, pattern := range patterns {
			re, err := newExpression(pattern)
			if err != nil {
				t.Fatalf("%s: %v", pattern, err)
			}
			matchers = append(matchers, regexMatcher{pattern, re})
		}
		for _, m := range matchers {
			m.prepare(x)
		}
		for _, m := range append(matchers, matchers...) {
			want := "does not match " + wording.Quote(m.pattern)
			place := regexp.MustCompile(m.pattern).FindStringIndex(x.Value)
			if place != nil {
				matches++
				want = fmt.Sprintf("matches %s: %s at character %d", wording.Quote(m.pattern), wording.Quote(x.Value[place[0]:place[1]]), utf8.RuneCountInString(x.Value[:place[0]]))
			}
			if got := m.match(t.Context(), x); got.holds != (place != nil) || got.sentence != want {
				t.Errorf("%q in %q: %+v; the library: %v, %s", m.pattern, x.Value, got, place, want)
			}
		}
	})
	if matches == 0 {
		t.Error("nothing matched")
	}
}

// TestRuledOut: expressions that never run on a text in which their literals are missing.
func TestRuledOut(t *testing.T) {
	x := &search.Text{Value: "An order of 12 apples, Größe 3, 5 Kelvin"}
	for pattern, out := range map[string]bool{
		`order of \d+`: false, `refund [0-9]+ of`: true, `[0-9]+ pears`: true, `^An|The pear$`: false, `(A|The) pear`: true,
		`(?i)ORDER`: false, `(?i)PEARS`: true, `(?i)GRÖSSE`: true, `(?i)GRÖßE`: false, `(?i)kelvin`: false, `(pear)?s`: false, `(pear){0,3}`: false,
		`(pear){1,3}`: true, `\d+`: false, `[A-Z](?:nn|mm)+`: true, `a|b|`: false, `x{0}apples`: false,
	} {
		re, err := newExpression(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := re.ruledOut(x); got != out {
			t.Errorf("%s: %v", pattern, got)
		}
		if out && re.find(context.Background(), x) != nil {
			t.Errorf("%s matches", pattern)
		}
	}
}
