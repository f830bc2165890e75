package ruleset

import (
	"math"
)

// Entropy returns the Shannon entropy in bits per byte.
func Entropy(text []byte) float64 {
	var counts [256]int32
	for _, c := range text {
		counts[c]++
	}
	if len(text) == 0 {
		return 0
	}
	sum := 0.0
	for _, c := range text {
		if n := counts[c]; n > 1 {
			sum += float64(n) * logarithm(int(n))
			counts[c] = 0
		}
	}
	return logarithm(len(text)) - sum/float64(len(text))
}

// logarithm returns the binary logarithm of a number above 0.
func logarithm(n int) float64 {
	if n < len(logarithms) {
		return logarithms[n]
	}
	return math.Log2(float64(n))
}

// logarithms are those of small numbers.
var logarithms = func() (all [128]float64) {
	for n := 1; n < len(all); n++ {
		all[n] = math.Log2(float64(n))
	}
	return all
}()
