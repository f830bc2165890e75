package ruleset

import (
	"math"
	"math/bits"
)

// same reports whether a later match with the same end has the same secret: the threads are the same from a place before
// it on.
func (l *tried) same(r root, end int) bool {
	return l.known && l.end == end && l.root.id == r.id && int(max(l.root.at, r.at)) <= l.from
}

// tried is the last match of a rule and what became of it.
type tried struct {
	from, to, end int
	root          root // of its run
	counts, known bool
}

// refused says which secrets that end at a place do not count: those that start before another one.
type refused struct{ to, until int }

func (r *refused) has(from, to int) bool { return to == r.to && from < r.until }

// counted are the numbers of the bytes of the last long secret. One that starts and ends later differs by the
// bytes between their starts and their ends.
type counted struct {
	from, to int
	of       [256]int32
	sum      int64 // of n·log₂ n, with a fixed point
}

const (
	leastCounted = 64 // bytes of a long secret
	point        = 1 << 16
)

// entropy is [Entropy] of text[from:to].
func (t *Trace) entropy(text []byte, from, to int) float64 {
	if t == nil || to-from < leastCounted {
		return Entropy(text[from:to])
	}
	c := &t.count
	if to < c.to || from < c.from || from >= c.to || from-c.from > to-from {
		*c = counted{from: from, to: from}
	}
	for ; c.to < to; c.to++ {
		c.add(text[c.to], 1)
	}
	for ; c.from < from; c.from++ {
		c.add(text[c.from], -1)
	}
	length := to - from
	return math.Log2(float64(length)) - float64(c.sum)/point/float64(length)
}

func (c *counted) add(b byte, more int32) {
	n := &c.of[b]
	c.sum -= product(*n)
	*n += more
	c.sum += product(*n)
}

// product returns n·log₂ n with a fixed point: for a large n by its first bits and the rise of the logarithm there, which
// is exact to a hundred-thousandth of a bit.
func product(n int32) int64 {
	if int(n) < len(products) {
		return products[n]
	}
	shift := bits.Len32(uint32(n)) - bits.Len(uint(len(products)-1))
	first := n >> shift
	rest := int64(n - first<<shift)
	return int64(n)*(int64(shift)*point+fixedLogs[first]) + rest*rise
}

// rise is log₂ e with the fixed point.
const rise = point * 1442695 / 1000000

// products are those of small numbers, and fixedLogs their logarithms.
var products, fixedLogs = func() (products, logs [512]int64) {
	for n := 1; n < len(products); n++ {
		log := math.Log2(float64(n))
		products[n], logs[n] = int64(math.Round(float64(n)*log*point)), int64(math.Round(log*point))
	}
	return products, logs
}()
