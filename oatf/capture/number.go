package capture

import (
	"bytes"
	"strconv"
)

// appendNumber appends a canonical form of a JSON number: 1, 1.0 and 10e-1 become 1e0. Exponents beyond 32 bits,
// which ids do not have, are kept.
func appendNumber(dst, raw []byte) []byte {
	var power []byte
	if e := bytes.IndexAny(raw, "eE"); e >= 0 {
		raw, power = raw[:e], raw[e+1:]
	}
	negative := raw[0] == '-'
	whole, fraction, _ := bytes.Cut(bytes.TrimPrefix(raw, []byte{'-'}), []byte{'.'})
	var scratch [64]byte
	digits := append(append(scratch[:0], whole...), fraction...)
	significant := bytes.TrimRight(digits, "0")
	exponent := len(digits) - len(significant) - len(fraction)
	significant = bytes.TrimLeft(significant, "0")
	if len(significant) == 0 {
		return append(dst, '0')
	}
	if negative {
		dst = append(dst, '-')
	}
	dst = append(append(dst, significant...), 'e')
	if len(power) > 0 {
		n, err := strconv.ParseInt(string(power), 10, 32)
		if err != nil {
			return append(append(strconv.AppendInt(dst, int64(exponent), 10), 'e'), power...)
		}
		exponent += int(n)
	}
	return strconv.AppendInt(dst, int64(exponent), 10)
}
