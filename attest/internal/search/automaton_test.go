package search

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestSearchAll compares one pass for many needles with one search for each.
func TestSearchAll(t *testing.T) {
	word := rapid.StringOfN(rapid.RuneFrom([]rune("abcé")), 1, 6, -1)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("abcdé")), 0, 60, -1).Draw(t, "text")
		needles := rapid.SliceOfNDistinct(word, 0, 30, rapid.ID).Draw(t, "needles")
		var want []bool
		for _, needle := range needles {
			want = append(want, strings.Contains(text, needle))
		}
		if got := searchAll(text, needles); !slices.Equal(got, append([]bool{}, want...)) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

// TestSearchManyNeedles fills several automata and passes needles that are too long
// for any.
func TestSearchManyNeedles(t *testing.T) {
	var needles []string
	for i := range 3000 {
		needles = append(needles, strings.Repeat("x", i%7)+strings.Repeat("y", i/7%9)+string(rune('a'+i/63)))
	}
	needles = append(needles, strings.Repeat("long", maxNeedle))
	needles = slices.Compact(slices.Sorted(slices.Values(needles)))
	text := strings.Join(needles[:len(needles)/2], " ")
	for i, hit := range searchAll(text, needles) {
		if want := strings.Contains(text, needles[i]); hit != want {
			t.Fatalf("%q: got %v, want %v", needles[i], hit, want)
		}
	}
}
