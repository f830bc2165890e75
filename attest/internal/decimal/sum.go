package decimal

import (
	"math"
	"math/big"
)

// Sum adds numbers exactly. The zero Sum is 0.
type Sum struct {
	small  Number   // of the numbers that fit its digits
	exact  *big.Rat // of the others; nil: there were none
	digits int      // the length of the longest number
}

// Add adds a number.
func (s *Sum) Add(n Number) {
	s.digits = max(s.digits, len(n.Text))
	places := max(s.small.places, n.places)
	a, ok1 := s.small.scaled(places)
	b, ok2 := n.scaled(places)
	if ok1 && ok2 && (b >= 0 && a <= math.MaxInt64-b || b < 0 && a >= math.MinInt64-b) {
		s.small.digits, s.small.places = a+b, places
		return
	}
	if s.exact == nil {
		s.exact = new(big.Rat)
	}
	s.exact.Add(s.exact, n.Rat())
}

func (s *Sum) Subtract(n Number) {
	n.digits = -n.digits
	if n.Exact != nil {
		n.Exact = new(big.Rat).Neg(n.Exact)
	}
	s.Add(n)
}

func (s *Sum) Number() Number {
	sum := s.small.Rat()
	if s.exact != nil {
		sum = new(big.Rat).Add(sum, s.exact)
	}
	return Number{Exact: sum, Text: Plain(sum, s.digits)}
}
