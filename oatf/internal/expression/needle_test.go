package expression

import (
	"regexp"
	"testing"

	"github.com/cupel-dev/cupel/internal/racetest"
	"pgregory.net/rapid"
)

func TestNeedles(t *testing.T) {
	for expression, want := range map[string]Needles{
		"password":         {{"password", false}},
		"(?i)PassWord":     {{"password", true}},
		"a{0,5}b1":         {{"b1", false}},
		"(ab|abc|xyz)+":    {{"ab", false}, {"xyz", false}},
		"(ab|[0-9])":       nil,
		"x*":               nil,
		"[0-9]{3}":         nil,
		"(?:secret)?=key=": {{"=key=", false}},
		"(":                nil,
		"\ufffd":           nil,
		"(?i)straße":       nil,
	} {
		got := NeedlesOf(expression)
		if len(got) != len(want) {
			t.Errorf("%q: %v, expected %v", expression, got, want)
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%q: %v, expected %v", expression, got, want)
			}
		}
	}
}

// A text without needles never matches.
func TestNeedlesLaw(t *testing.T) {
	pieces := []string{
		"a", "b", "ab", "k", "s", "(?i)k", "(?i)as", "\u212a", "\u017f", "\ufffd", "\xff", "[Aa]", ".", "x*", "(?:ab|ba)", "(a|b)", "{0,2}",
		"{2}", "+", "?", "^", "$", "\\b", "|", "(?i:Sk)", "ß", "(?s)",
	}
	absent, present := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		var expression, text string
		for range rapid.IntRange(1, 5).Draw(r, "pieces") {
			expression += rapid.SampledFrom(pieces).Draw(r, "piece")
		}
		for range rapid.IntRange(0, 6).Draw(r, "letters") {
			text += rapid.SampledFrom([]string{"a", "b", "A", "K", "k", "s", "S", "\u212a", "\u017f", "\ufffd", "\xff", "ß"}).Draw(r, "letter")
		}
		regex, err := regexp.Compile(expression)
		if err != nil {
			return
		}
		if !NeedlesOf(expression).Absent(text) {
			present++
			return
		}
		if absent++; regex.MatchString(text) {
			r.Fatalf("%q matches %q, which lacks its needles %v", expression, text, NeedlesOf(expression))
		}
	})
	racetest.Met(t, "absent needles", absent)
	racetest.Met(t, "needles", present)
}
