package attesttest

import (
	"strings"

	"pgregory.net/rapid"
)

// Letters with and without case folds, and bytes that are not letters.
var (
	letters  = []string{"a", "b", "k", "K", "\u212a", "s", "S", "ſ", "ß", "ẞ", "é", "É", "σ", "ς", "Σ", "i", "I", "İ", "ı", "1", " ", "\n", "\ufffd"}
	notUTF8  = []string{"\xff", "\x80", "\xe2\x84"}
	atoms    = append([]string{".", "[a-k]", "[^a]", `\w`, `\pL`, `\x{fffd}`, `\x{d800}`, "^", "$", `\b`, `\B`, `\A`, `\z`, "(?m:^)", "(?s:.)", "(?:)"}, letters...)
	repeated = []string{"", "", "", "", "*", "+", "?", "+?", "{2}", "{0}", "{1,3}", "{0,2}", "*?"}
)

// Pattern generates nested RE2 expressions.
func Pattern(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(1, 5).Draw(t, "parts") {
			part := rapid.SampledFrom(atoms).Draw(t, "atom")
			if depth > 0 && rapid.IntRange(0, 3).Draw(t, "nested") == 0 {
				start := rapid.SampledFrom([]string{"(", "(?:", "(?i:", "(?s:", "(?U:", "(?i-s:"}).Draw(t, "group")
				part = start + strings.Join(rapid.SliceOfN(Pattern(depth-1), 1, 3).Draw(t, "branches"), "|") + ")"
			}
			b.WriteString(part + rapid.SampledFrom(repeated).Draw(t, "times"))
		}
		return b.String()
	})
}

// Text generates texts from the letters in patterns.
func Text(most int) *rapid.Generator[string] {
	part := rapid.SampledFrom(append(notUTF8, append(letters, letters...)...))
	return rapid.Map(rapid.SliceOfN(part, 0, most), func(parts []string) string { return strings.Join(parts, "") })
}
