package search

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestMatch: an expression is sought once, and its place is counted in code points, whatever
// the text is made of and in whatever order one asks.
func TestMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{"a", "é", "日", "😀", "\xff", "\x80", strings.Repeat("é", 2000), strings.Repeat("\x80", 5000), strings.Repeat("a", 4095)})
		x := &Text{Value: strings.Join(rapid.SliceOfN(part, 1, 20).Draw(t, "parts"), "")}
		for range 5 {
			at := rapid.IntRange(0, len(x.Value)).Draw(t, "at")
			for at > 0 && at < len(x.Value) && !utf8.RuneStart(x.Value[at]) {
				at--
			}
			asked := 0
			for range 2 {
				m := x.Match(string(rune('0'+at)), func() []int { asked++; return []int{at, len(x.Value)} })
				if want := utf8.RuneCountInString(x.Value[:at]); m.Character != want || m.Text != x.Value[at:] {
					t.Fatalf("byte %d is character %d, want %d", at, m.Character, want)
				}
			}
			if asked > 1 {
				t.Fatal("asked again")
			}
		}
	})
	x := &Text{Value: "a"}
	for range 2 {
		if x.Match("b", func() []int { return nil }) != nil {
			t.Error("found")
		}
	}
}
