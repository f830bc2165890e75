// Package decimal is the numbers of JSON with their exact decimal values.
package decimal

import (
	"bytes"
	"cmp"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Number is a JSON number with its exact decimal value: 0.1 is one tenth, and
// 9007199254740993 is not 9007199254740992.
type Number struct {
	Text string // plain decimal, as written unless it was written with an exponent

	// The value is digits × 10^-places, or exact if set.
	digits int64
	places int
	Exact  *big.Rat
}

// Limits of compared numbers. Exact values take memory in proportion to the exponent; doubles range from 1e-324 to
// 1e308.
const (
	MaxExponent = 400
	MaxDigits   = 1000
)

// smallDigits is the number of digits that always fit number.digits.
const smallDigits = 18

// Parse parses a JSON number; ok is false beyond the limits.
func Parse(raw []byte) (n Number, ok bool) {
	exponent, ok := Bounded(raw)
	if !ok {
		return Number{}, false
	}
	n.Text = string(raw)
	if n.parseSmall(raw) {
		return n, true
	}
	if n.Exact, ok = new(big.Rat).SetString(n.Text); !ok {
		return Number{}, false
	}
	if exponent != 0 || bytes.ContainsAny(raw, "eE") {
		n.Text = Plain(n.Exact, len(raw)+max(0, -exponent))
	}
	return n, true
}

// parseSmall parses a number with few digits and no exponent. It returns false for others.
func (n *Number) parseSmall(raw []byte) bool {
	whole, fraction, _ := bytes.Cut(raw, []byte("."))
	if len(whole)+len(fraction) > smallDigits {
		return false
	}
	digits, err := strconv.ParseInt(string(whole)+string(fraction), 10, 64)
	n.digits, n.places = digits, len(fraction)
	return err == nil
}

// Rat returns the value as a fraction.
func (n Number) Rat() *big.Rat {
	if n.Exact != nil {
		return n.Exact
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n.places)), nil)
	return new(big.Rat).SetFrac(big.NewInt(n.digits), scale)
}

// Compare returns -1, 0 or 1: n is less than, equal to or greater than m.
func (n Number) Compare(m Number) int {
	places := max(n.places, m.places)
	if a, ok := n.scaled(places); ok {
		if b, ok := m.scaled(places); ok {
			return cmp.Compare(a, b)
		}
	}
	return n.Rat().Cmp(m.Rat())
}

// scaled returns the digits of the value with more decimal places; ok is false if they do not fit.
func (n Number) scaled(places int) (digits int64, ok bool) {
	digits = n.digits
	for range places - n.places {
		if digits > math.MaxInt64/10 || digits < math.MinInt64/10 {
			return 0, false
		}
		digits *= 10
	}
	return digits, n.Exact == nil
}

// Bounded returns a number's exponent, and whether the number is within the limits.
func Bounded(raw []byte) (exponent int, ok bool) {
	if len(raw) > MaxDigits {
		return 0, false
	}
	if e := bytes.IndexAny(raw, "eE"); e >= 0 {
		var err error
		exponent, err = strconv.Atoi(string(raw[e+1:]))
		if err != nil || exponent > MaxExponent || exponent < -MaxExponent {
			return 0, false
		}
	}
	return exponent, true
}

// FromInt returns n as a Number.
func FromInt(n int) Number {
	return Number{digits: int64(n), Text: strconv.Itoa(n)}
}

// Plain formats a decimal without exponent. digits must be enough for its fraction.
func Plain(r *big.Rat, digits int) string {
	text := r.FloatString(digits)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
