package decimal

import (
	"bytes"
	"cmp"
	"strconv"
)

// literal is a parsed JSON number: digits without leading or trailing zeros, times 10 to the
// exponent. Zero has no digits.
type literal struct {
	negative bool
	digits   []byte
	exponent int
}

// parseLiteral parses a number, using scratch if it cannot refer to raw. It returns an error if the exponent does
// not fit an int, which is impossible for Bounded numbers.
func parseLiteral(raw, scratch []byte) (l literal, err error) {
	mantissa := raw
	if e := bytes.IndexAny(raw, "eE"); e >= 0 {
		mantissa = raw[:e]
		if l.exponent, err = strconv.Atoi(string(raw[e+1:])); err != nil {
			return l, err
		}
	}
	mantissa, l.negative = bytes.CutPrefix(mantissa, []byte("-"))
	l.digits = mantissa
	if whole, fraction, fractional := bytes.Cut(mantissa, []byte(".")); fractional {
		l.digits = append(append(scratch[:0], whole...), fraction...)
		l.exponent -= len(fraction)
	}
	length := len(l.digits)
	l.digits = bytes.TrimRight(l.digits, "0")
	l.exponent += length - len(l.digits)
	l.digits = bytes.TrimLeft(l.digits, "0")
	if len(l.digits) == 0 {
		return literal{}, nil
	}
	return l, nil
}

func (l literal) sign() int {
	switch {
	case len(l.digits) == 0:
		return 0
	case l.negative:
		return -1
	}
	return 1
}

// compareTexts compares two Bounded JSON numbers exactly, without allocating.
func compareTexts(a, b []byte) int {
	var room [2][64]byte
	x, _ := parseLiteral(a, room[0][:])
	y, _ := parseLiteral(b, room[1][:])
	if order := cmp.Compare(x.sign(), y.sign()); order != 0 || x.sign() == 0 {
		return order
	}
	order := cmp.Or(cmp.Compare(x.exponent+len(x.digits), y.exponent+len(y.digits)), bytes.Compare(x.digits, y.digits))
	return order * x.sign()
}

// Light is a number that refers to its source text and, unlike Number, does not allocate.
type Light struct {
	raw   []byte
	small Number // without text
	isBig bool   // the value is not in small
}

// ParseLight parses a JSON number; ok is false beyond the limits.
func ParseLight(raw []byte) (l Light, ok bool) {
	if _, ok = Bounded(raw); ok {
		l.raw, l.isBig = raw, !l.small.parseSmall(raw)
	}
	return l, ok
}

// Compare returns -1, 0 or 1: l is less than, equal to or greater than m.
func (l *Light) Compare(m *Light) int {
	switch {
	case l.isBig || m.isBig:
		return compareTexts(l.raw, m.raw)
	case l.small.places == m.small.places:
		return cmp.Compare(l.small.digits, m.small.digits)
	}
	return l.small.Compare(m.small)
}

// Number converts to a Number.
func (l *Light) Number() Number {
	n, _ := Parse(l.raw) // never fails: it is within the bounds
	return n
}

// AppendValue appends a canonical form of a number: 1, 1.0 and 10e-1 are equal. Exponents that do not fit an int
// are kept.
func AppendValue(dst, raw []byte) []byte {
	var room [64]byte
	l, err := parseLiteral(raw, room[:])
	switch {
	case err != nil:
		return append(dst, raw...)
	case l.sign() == 0:
		return append(dst, '0')
	case l.negative:
		dst = append(dst, '-')
	}
	return strconv.AppendInt(append(append(dst, l.digits...), 'e'), int64(l.exponent), 10)
}
