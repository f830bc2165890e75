package ruleset

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestSlidingEntropy compares the entropy of stretches that move over a text with that of each stretch alone.
func TestSlidingEntropy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "piece")
		var text []byte
		for range rapid.IntRange(1, 200).Draw(t, "times") {
			text = append(text, piece...)
		}
		trace := new(Trace)
		trace.Reset()
		from, to := 0, 0
		for range 20 {
			from = rapid.IntRange(from, len(text)-1).Draw(t, "from")
			to = rapid.IntRange(max(from+1, min(to, len(text))), len(text)).Draw(t, "to")
			got, want := trace.entropy(text, from, to), Entropy(text[from:to])
			if math.Abs(got-want) > 1e-3 {
				t.Fatalf("of the bytes from %d to %d: %v, expected %v", from, to, got, want)
			}
		}
	})
}
