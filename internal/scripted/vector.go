package scripted

import (
	"hash/fnv"
	"math"
	"strings"
)

// Dimensions is the length of a Vector.
const Dimensions = 64

// Vector is the vector of a text as the service answers it, of length 1: the more words two
// texts share, the more alike their vectors; equal texts have equal ones, and none is zero.
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
