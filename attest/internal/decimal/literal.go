package decimal

import (
	"bytes"
	"strconv"
)

// AppendValue appends a canonical form of a number of any length: 1, 1.0 and 10e-1 are equal. Exponents that do not
// fit an int are kept.
func AppendValue(dst, raw []byte) []byte {
	exponent := 0
	mantissa := raw
	if e := bytes.IndexAny(raw, "eE"); e >= 0 {
		var err error
		if exponent, err = strconv.Atoi(string(raw[e+1:])); err != nil {
			return append(dst, raw...)
		}
		mantissa = raw[:e]
	}
	digits, negative := bytes.CutPrefix(mantissa, []byte("-"))
	if whole, fraction, fractional := bytes.Cut(digits, []byte(".")); fractional {
		var room [64]byte
		digits = append(append(room[:0], whole...), fraction...)
		exponent -= len(fraction)
	}
	length := len(digits)
	digits = bytes.TrimRight(digits, "0")
	exponent += length - len(digits)
	digits = bytes.TrimLeft(digits, "0")
	if len(digits) == 0 {
		return append(dst, '0')
	}
	if negative {
		dst = append(dst, '-')
	}
	return strconv.AppendInt(append(append(dst, digits...), 'e'), int64(exponent), 10)
}
