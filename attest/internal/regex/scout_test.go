package regex

import (
	"context"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest/internal/attesttest"
)

func compiled(t interface{ Fatal(...any) }, pattern string) *Expression {
	e, err := Compile(pattern)
	if err != nil {
		t.Fatal(pattern, err)
	}
	return e
}

// TestScoutLaw: what a scout says of a text holds: whether the expression matches, that no
// match begins earlier, whatever the library sees from there on, and that none ends earlier.
func TestScoutLaw(t *testing.T) {
	told := map[outlook]int{}
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.OneOf(attesttest.Pattern(2), rapid.Map(attesttest.Pattern(2), func(p string) string { return "(?i)" + p })).Draw(t, "pattern")
		s := compiled(t, pattern).scout()
		if s == nil {
			return
		}
		text := attesttest.Text(60).Draw(t, "text")
		want := regexp.MustCompile(pattern).FindStringIndex(text)
		from, to, o := s.look(context.Background(), text)
		told[o]++
		switch {
		case o == unclear, (want != nil) != (o == somewhere):
			t.Fatalf("%q in %q: %d, the library: %v", pattern, text, o, want)
		case want != nil && (from > want[0] || !slices.Equal(shift(from, regexp.MustCompile(pattern).FindStringIndex(text[from:])), want)):
			t.Fatalf("%q in %q: from %d, the library: %v", pattern, text, from, want)
		case want != nil && s.free && to != firstEnd(pattern, text):
			t.Fatalf("%q in %q: to %d, the first end is %d", pattern, text, to, firstEnd(pattern, text))
		}
	})
	if told[nowhere] == 0 || told[somewhere] == 0 {
		t.Errorf("told %v", told)
	}
}

// firstEnd returns the end of the match that ends first, which a text must have.
func firstEnd(pattern, text string) int {
	re := regexp.MustCompile(pattern)
	for end := range text {
		if re.MatchString(text[:end]) {
			return end
		}
	}
	return len(text)
}

// checkEndingFirst: a place is that of a match before whose end no other ends.
func checkEndingFirst(t *rapid.T, pattern, text string, place []int) {
	t.Helper()
	switch {
	case place == nil:
		t.Fatalf("%q in %d bytes: nothing", pattern, len(text))
	case !regexp.MustCompile(`\A(?:` + pattern + `)\z`).MatchString(text[place[0]:place[1]]):
		t.Fatalf("%q in %d bytes: no match at %v", pattern, len(text), place)
	}
	if _, size := utf8.DecodeLastRuneInString(text[:place[1]]); place[1] > 0 && regexp.MustCompile(pattern).MatchString(text[:place[1]-size]) {
		t.Fatalf("%q in %d bytes: a match ends before %v", pattern, len(text), place)
	}
}

// TestFind is what the library finds, or what ends first in long texts, in texts of any length, with and without a scout, and
// when that gives up.
func TestFind(t *testing.T) {
	filler := rapid.SampledFrom([]string{"", strings.Repeat("-", scoutedText), strings.Repeat("ab k\n", scoutedText/4), strings.Repeat("é", scoutedText/2), tangle(2 * scoutedText)})
	gaveUp, endingFirst := 0, 0
	if _, _, o := compiled(t, "[a-k][ab]{200}c").scout().look(context.Background(), tangle(2*scoutedText)); o == unclear {
		gaveUp++
	}
	rapid.Check(t, func(t *rapid.T) {
		pattern := attesttest.Pattern(2).Draw(t, "pattern")
		if rapid.IntRange(0, 3).Draw(t, "hard") == 0 {
			pattern = "[a-k][ab]{" + rapid.SampledFrom([]string{"12", "40", "200"}).Draw(t, "times") + "}" + pattern
		}
		text := filler.Draw(t, "before") + attesttest.Text(200).Draw(t, "text") + filler.Draw(t, "behind")
		e := compiled(t, pattern)
		o, free := nowhere, false
		if s := e.scout(); s != nil {
			free = s.free
			if _, _, o = s.look(context.Background(), text); o == unclear {
				gaveUp++
			}
		}
		got, want := e.Find(context.Background(), text), regexp.MustCompile(pattern).FindStringIndex(text)
		switch {
		case want != nil && free && o == somewhere && len(text) >= scoutedText:
			endingFirst++
			checkEndingFirst(t, pattern, text, got)
		case !slices.Equal(got, want):
			t.Fatalf("%q in %d bytes: %v, the library: %v", pattern, len(text), got, want)
		}
	})
	if gaveUp == 0 || endingFirst == 0 {
		t.Errorf("%d scouts gave up, %d matches that end first", gaveUp, endingFirst)
	}
}

// tangle returns a text in which no stretch is like another.
func tangle(length int) string {
	random := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, length)
	for i := range text {
		text[i] = "ab"[random.IntN(2)]
	}
	return string(text)
}

// TestScoutGivesUp: an expression whose states grow without end costs no more than its share,
// and what is known until then is used.
func TestScoutGivesUp(t *testing.T) {
	text := strings.Repeat("-", 5000) + tangle(100_000)
	s := compiled(t, "a[ab]{30}x").scout()
	if from, _, o := s.look(t.Context(), text); o != unclear || from < 4000 || from > 5000+100 {
		t.Errorf("from %d: %d", from, o)
	}
}

// TestScoutEnds: the end of the time ends it.
func TestScoutEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	text := strings.Repeat("-", 3*patience) + "ax"
	if _, _, o := compiled(t, "[ab]x").scout().look(ctx, text); o != nowhere {
		t.Errorf("it went on: %d", o)
	}
	if place := compiled(t, "[ab]x").Find(t.Context(), text); !slices.Equal(place, []int{3 * patience, 3*patience + 2}) {
		t.Error(place)
	}
}

// TestNoScout: expressions that gain nothing by one.
func TestNoScout(t *testing.T) {
	for pattern, has := range map[string]bool{"^a[bc]": false, `\Aa`: false, "literal": false, "lit.ral": true, "(?m)^a": true, "a$": true, `\pL+\d`: true, "[ab]{900}[cd]{900}": false} {
		if got := compiled(t, pattern).scout() != nil; got != has {
			t.Errorf("%s: %v", pattern, got)
		}
	}
}
