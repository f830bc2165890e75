package scripted

import (
	"hash/fnv"
	"math"
	"strings"
)

// Dimensions is the length of a Vector.
const Dimensions = 64

// Vector returns a unit vector for a text. Texts that share more words have more similar vectors;
// equal texts have equal vectors.
func Vector(text string) []float32 {
	var sums [Dimensions]float64
	for _, word := range append(strings.Fields(strings.ToLower(text)), "") {
		h := fnv.New64a()
		_, _ = h.Write([]byte(word)) // never fails
		sums[h.Sum64()%Dimensions]++
	}
	square := 0.0
	for _, s := range sums {
		square += s * s
	}
	vector := make([]float32, Dimensions)
	for i, s := range sums {
		vector[i] = float32(s / math.Sqrt(square))
	}
	return vector
}
