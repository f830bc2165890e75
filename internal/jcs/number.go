package jcs

import (
	"math"
	"strconv"
)

// appendES6 writes a number as ECMAScript's Number::toString (RFC 8785 §3.2.2.3). raw must fit a double.
func appendES6(dst, raw []byte) []byte {
	f, _ := strconv.ParseFloat(string(raw), 64)
	return AppendFloat(dst, f)
}

// AppendFloat appends a finite double as ECMAScript's Number::toString writes it.
func AppendFloat(dst []byte, f float64) []byte {
	if f == 0 {
		return append(dst, '0') // also for -0
	}
	if a := math.Abs(f); a >= 1e-6 && a < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	return trimExponent(dst, start)
}

// trimExponent removes strconv's zero padding of one-digit exponents.
func trimExponent(dst []byte, start int) []byte {
	if n := len(dst); n-start > 4 && dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

// appendPython writes a number as Python's repr does: integers as digits, floats with a decimal
// point or an exponent of at least two digits.
func (p *Profile) appendPython(dst, raw []byte, integer bool) []byte {
	if integer {
		if string(raw) == "-0" {
			return append(dst, '0')
		}
		return append(dst, raw...)
	}
	f, _ := strconv.ParseFloat(string(raw), 64)
	if f == 0 {
		if math.Signbit(f) {
			return append(dst, p.NegativeZero...)
		}
		return append(dst, p.Zero...)
	}
	if a := math.Abs(f); a >= 1e-4 && a < 1e16 {
		start := len(dst)
		dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
		for _, c := range dst[start:] {
			if c == '.' {
				return dst
			}
		}
		return append(dst, ".0"...)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	if p.ExponentPlus {
		return dst
	}
	out := dst[:start]
	for _, c := range dst[start:] {
		if c != '+' {
			out = append(out, c)
		}
	}
	return out
}
