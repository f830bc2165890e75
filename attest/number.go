package attest

import (
	"bytes"
	"math/big"
	"strconv"
	"strings"
)

// number is a JSON number with its exact decimal value: 0.1 is one tenth, and
// 9007199254740993 is not 9007199254740992.
type number struct {
	value *big.Rat
	text  string // plain decimal, as written unless it was written with an exponent
}

// Bounds of the numbers that are compared. A number's exact value takes memory in
// proportion to its exponent; doubles, the numbers of JSON in practice, end at 1e-324
// and 1e308.
const (
	maxExponent = 400
	maxDigits   = 1000
)

// parseNumber reads the text of a JSON number; ok is false beyond the bounds.
func parseNumber(raw []byte) (n number, ok bool) {
	exponent, ok := boundedNumber(raw)
	if !ok {
		return number{}, false
	}
	n.value, ok = new(big.Rat).SetString(string(raw))
	if !ok {
		return number{}, false
	}
	if n.text = string(raw); exponent != 0 || bytes.ContainsAny(raw, "eE") {
		n.text = plain(n.value, len(raw)+max(0, -exponent))
	}
	return n, true
}

// boundedNumber returns a number's exponent, and whether it can be compared at all.
func boundedNumber(raw []byte) (exponent int, ok bool) {
	if len(raw) > maxDigits {
		return 0, false
	}
	if e := bytes.IndexAny(raw, "eE"); e >= 0 {
		var err error
		exponent, err = strconv.Atoi(string(raw[e+1:]))
		if err != nil || exponent > maxExponent || exponent < -maxExponent {
			return 0, false
		}
	}
	return exponent, true
}

// intNumber is a count as a number.
func intNumber(n int) number {
	return number{value: new(big.Rat).SetInt64(int64(n)), text: strconv.Itoa(n)}
}

// plain writes a decimal without exponent; digits is enough for its fraction.
func plain(r *big.Rat, digits int) string {
	text := r.FloatString(digits)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
