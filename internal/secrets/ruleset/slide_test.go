package ruleset

import (
	"bytes"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// slowEntropy is the entropy as it is defined.
func slowEntropy(text []byte) (sum float64) {
	for b := range 256 {
		if share := float64(bytes.Count(text, []byte{byte(b)})) / float64(len(text)); share > 0 {
			sum -= share * math.Log2(share)
		}
	}
	return sum
}

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
			got, want := trace.entropy(text, from, to), slowEntropy(text[from:to])
			if alone := Entropy(text[from:to]); got != alone || math.Abs(got-want) > inexact {
				t.Fatalf("of the bytes from %d to %d: %v, expected %v", from, to, got, want)
			}
		}
	})
}
