package eval

import "github.com/cupel-dev/cupel/oatf"

// sieve is the set of byte pairs in a text. A batch searches a text for hundreds of patterns, most of which contain
// a pair that the text does not have.
type sieve [1 << 10]uint64

// worthSieving is the minimum number of conditions for which a sieve is faster.
const worthSieving = 16

func (s *sieve) fill(text string) {
	*s = sieve{}
	for i := 1; i < len(text); i++ {
		pair := pairAt(text, i)
		s[pair>>6] |= 1 << (pair & 63)
	}
}

func pairAt(text string, i int) uint16 { return uint16(text[i-1])<<8 | uint16(text[i]) }

// needle holds some byte pairs that every text satisfying a condition contains.
type needle struct {
	pairs [4]uint16
	count int
}

// needleOf returns byte pairs of a condition's text.
func needleOf(c *oatf.Condition) (n needle) {
	if c.Operators == nil {
		return n
	}
	for _, text := range []*string{c.Operators.Contains, c.Operators.StartsWith, c.Operators.EndsWith} {
		if text == nil || len(*text) < 2 {
			continue
		}
		pairs := len(*text) - 1
		n.count = min(pairs, len(n.pairs))
		for k := range n.count {
			n.pairs[k] = pairAt(*text, 1+k*pairs/n.count)
		}
		return n
	}
	return n
}

// passes reports whether the sieve's text can satisfy the needle's condition.
func (s *sieve) passes(n *needle) bool {
	for _, pair := range n.pairs[:n.count] {
		if s[pair>>6]&(1<<(pair&63)) == 0 {
			return false
		}
	}
	return true
}
