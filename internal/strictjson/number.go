package strictjson

import "strconv"

// scanNumber reads the number at src[i]. Only numbers that may exceed a double are
// converted: for all others a look at their length is proof enough.
func scanNumber(src []byte, i int) (end int, integer bool, e *Error) {
	start := i
	if src[i] == '-' {
		i++
	}
	digits := i
	i = skipDigits(src, i)
	switch {
	case i == digits:
		return 0, false, unexpected(src, i, "a digit")
	case src[digits] == '0' && i > digits+1:
		return 0, false, fail(Syntax, digits, "number with a leading zero")
	}
	integer = true
	exponent := false
	if i < len(src) && src[i] == '.' {
		integer = false
		fraction := i + 1
		if i = skipDigits(src, fraction); i == fraction {
			return 0, false, unexpected(src, i, "a digit after the decimal point")
		}
	}
	if i < len(src) && (src[i] == 'e' || src[i] == 'E') {
		integer, exponent = false, true
		if i++; i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		power := i
		if i = skipDigits(src, power); i == power {
			return 0, false, unexpected(src, i, "a digit of the exponent")
		}
	}
	const safeDigits = 300 // fewer digits than the largest double has
	if exponent || i-start > safeDigits {
		if _, err := strconv.ParseFloat(string(src[start:i]), 64); err != nil {
			return 0, false, fail(NumberRange, start, "number beyond the range of a double")
		}
	}
	return i, integer, nil
}

func skipDigits(src []byte, i int) int {
	for i < len(src) && src[i]-'0' <= 9 {
		i++
	}
	return i
}
