package ruleset

import (
	"math"
	"math/bits"
)

// Entropy returns the Shannon entropy in bits per byte.
func Entropy(text []byte) float64 {
	return new(counted).entropy(text, 0, len(text))
}

// counted are the numbers of the bytes of a part of a text. Another part, which starts and ends later, differs by the
// bytes between their starts and their ends.
type counted struct {
	from, to int
	of       [256]int32
	sum      int64 // of n·log₂ n, with a fixed point: it is the same on every way to a part
}

const (
	point   = 1 << 16
	inexact = 2e-5 // the most that the entropy is away from the exact one
)

// entropy is [Entropy] of text[from:to].
func (c *counted) entropy(text []byte, from, to int) float64 {
	if from == to {
		return 0
	}
	if to < c.to || from < c.from || from >= c.to || from-c.from > to-from {
		c.from, c.to, c.sum = from, from, 0
		clear(c.of[:])
	}
	for _, b := range text[c.to:to] {
		n := &c.of[b]
		c.sum += rise(*n)
		*n++
	}
	for _, b := range text[c.from:from] {
		n := &c.of[b]
		*n--
		c.sum -= rise(*n)
	}
	c.from, c.to = from, to
	length := float64(to - from)
	if to-from < len(logarithms) {
		return logarithms[to-from] - float64(c.sum)/point/length
	}
	return math.Log2(length) - float64(c.sum)/point/length
}

// rise is how much n·log₂ n rises with the next n.
func rise(n int32) int64 {
	if int(n) < len(rises) {
		return rises[n]
	}
	return product(n+1) - product(n)
}

// product returns n·log₂ n with a fixed point: for a large n by its first bits and the rise of the logarithm there, which
// is exact to a hundred-thousandth of a bit.
func product(n int32) int64 {
	shift := max(0, bits.Len32(uint32(n))-bits.Len(uint(len(logarithms)-1)))
	first := n >> shift
	if shift == 0 {
		return int64(math.Round(float64(n) * logarithms[n] * point))
	}
	const slope = point * 1442695 / 1000000 // log₂ e
	return int64(n)*(int64(shift)*point+int64(math.Round(logarithms[first]*point))) + int64(n-first<<shift)*slope
}

// logarithms are the binary ones of small numbers, and rises the rises of their products.
var (
	logarithms = func() (all [512]float64) {
		for n := 1; n < len(all); n++ {
			all[n] = math.Log2(float64(n))
		}
		return all
	}()
	rises = func() (all [256]int64) {
		for n := range all {
			all[n] = product(int32(n)+1) - product(int32(n))
		}
		return all
	}()
)
