package jcs

import (
	"math"
	"strconv"
)

// appendES6 writes a number as ECMAScript's Number::toString does (RFC 8785
// §3.2.2.3); raw is a JSON number that a double can hold.
func appendES6(dst, raw []byte, integer bool) []byte {
	if isShortest(raw, integer) {
		return append(dst, raw...)
	}
	f, _ := strconv.ParseFloat(string(raw), 64)
	return AppendFloat(dst, f)
}

// AppendFloat appends a finite double as ECMAScript's Number::toString writes it.
func AppendFloat(dst []byte, f float64) []byte {
	if f == 0 {
		return append(dst, '0') // -0 too
	}
	if a := math.Abs(f); a >= 1e-6 && a < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	return trimExponent(dst, start)
}

// trimExponent drops the zero with which strconv pads an exponent of one digit.
func trimExponent(dst []byte, start int) []byte {
	if n := len(dst); n-start > 4 && dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

// isShortest says of most numbers that people write, without converting them, that
// their text is canonical already. It rests on a property of doubles: decimals of at
// most 15 significant digits all convert to different doubles, so none of them has a
// shorter spelling than itself, but for zeros at its end.
func isShortest(raw []byte, integer bool) bool {
	const significant = 15
	if raw[0] == '-' {
		if raw = raw[1:]; string(raw) == "0" {
			return false
		}
	}
	switch last := raw[len(raw)-1]; {
	case len(raw) > significant:
		return false
	case integer:
		return true
	case last == '0':
		return false
	}
	leading := true // only zeros so far, as in 0.000001
	for i, c := range raw {
		switch {
		case c == 'e' || c == 'E':
			return false
		case leading && c != '0' && c != '.':
			leading = false
			if i >= len("0.000001") { // ECMAScript writes smaller ones with an exponent
				return false
			}
		}
	}
	return true
}

// appendPython writes a number as Python's repr does: integers digit by digit,
// floats with a decimal point or an exponent of at least two digits.
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
