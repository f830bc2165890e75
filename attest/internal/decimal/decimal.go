// Package decimal is the numbers of JSON with their exact decimal values, within limits for untrusted numbers.
package decimal

import (
	"bytes"
	"strconv"

	"github.com/shopspring/decimal"
)

// Number is a JSON number with its exact decimal value: 0.1 is one tenth, and
// 9007199254740993 is not 9007199254740992.
type Number struct {
	Text  string // plain decimal, as written unless it was written with an exponent
	value decimal.Decimal
}

// Limits of compared numbers. Exact values take memory in proportion to the exponent; doubles range from 1e-324 to
// 1e308.
const (
	MaxExponent = 400
	MaxDigits   = 1000
)

// Parse parses a JSON number; ok is false beyond the limits.
func Parse(raw []byte) (n Number, ok bool) {
	if !Bounded(raw) {
		return n, false
	}
	n.Text = string(raw)
	var err error
	if n.value, err = decimal.NewFromString(n.Text); err != nil {
		return Number{}, false
	}
	if bytes.ContainsAny(raw, "eE") {
		n.Text = n.value.String()
	}
	return n, true
}

// Bounded reports whether a number is within the limits.
func Bounded(raw []byte) bool {
	if e := bytes.IndexAny(raw, "eE"); e >= 0 {
		exponent, err := strconv.Atoi(string(raw[e+1:]))
		if err != nil || exponent > MaxExponent || exponent < -MaxExponent {
			return false
		}
	}
	return len(raw) <= MaxDigits
}

// FromInt returns n as a Number.
func FromInt(n int) Number {
	return Number{Text: strconv.Itoa(n), value: decimal.New(int64(n), 0)}
}

// Compare returns -1, 0 or 1: n is less than, equal to or greater than m.
func (n Number) Compare(m Number) int { return n.value.Cmp(m.value) }

// Whole reports whether the value is an integer.
func (n Number) Whole() bool { return n.value.IsInteger() }

// Float returns the nearest double.
func (n Number) Float() float64 { return n.value.InexactFloat64() }

// Near reports whether n and m differ by at most tolerance.
func (n Number) Near(m, tolerance Number) bool {
	return n.value.Sub(m.value).Abs().Cmp(tolerance.value) <= 0
}

// Sum adds numbers exactly. The zero Sum is 0.
type Sum struct{ total decimal.Decimal }

// Add adds a number.
func (s *Sum) Add(n Number) { s.total = s.total.Add(n.value) }

func (s *Sum) Subtract(n Number) { s.total = s.total.Sub(n.value) }

func (s *Sum) Number() Number { return Number{s.total.String(), s.total} }
