package strictjson

import (
	"bytes"
	"strconv"
)

// scanNumber reads the number at src[i], which must fit a double unless wide numbers are allowed.
// Only numbers that could be too large are converted.
func (s *Scanner) scanNumber(src []byte, i int) (end int, marks Marks, e *Error) {
	const safeDigits = 300 // the largest double has more digits
	end, integer, exponent, e := numberGrammar(src, i)
	if e == nil && (exponent || end-i > safeDigits) {
		if _, err := strconv.ParseFloat(string(src[i:end]), 64); err != nil {
			if !s.limits.WideNumbers {
				return 0, 0, TooWide(i)
			}
			s.doc.Wide = true
		}
	}
	if e != nil {
		return 0, 0, e
	}
	if integer {
		marks = Integer
	}
	if !exponent && isShortest(src[i:end], integer) {
		marks |= Canonical
	}
	return end, marks, nil
}

// isShortest reports whether a number without exponent is known to be canonical, without converting it. Decimals
// with at most 15 significant digits convert to different doubles, so none has a shorter form except for trailing
// zeros.
func isShortest(raw []byte, integer bool) bool {
	const significant = 15
	digits := raw
	if raw[0] == '-' {
		digits = raw[1:]
	}
	switch {
	case len(digits) > significant:
		return false
	case integer:
		return raw[0] != '-' || digits[0] != '0'
	}
	return digits[len(digits)-1] != '0' && !bytes.HasPrefix(digits, tiny)
}

// tiny starts numbers that ECMAScript or Python write with an exponent.
var tiny = []byte("0.0000")

// numberGrammar reads a number of any size.
func numberGrammar(src []byte, i int) (end int, integer, exponent bool, e *Error) {
	if src[i] == '-' {
		i++
	}
	digits := i
	i = skipDigits(src, i)
	switch {
	case i == digits:
		return 0, false, false, unexpected(src, i, "a digit")
	case src[digits] == '0' && i > digits+1:
		return 0, false, false, broken(Syntax, digits, digits+1, "number with a leading zero", "no digit after a leading zero")
	}
	integer = true
	if i < len(src) && src[i] == '.' {
		integer = false
		fraction := i + 1
		if i = skipDigits(src, fraction); i == fraction {
			return 0, false, false, unexpected(src, i, "a digit after the decimal point")
		}
	}
	if i < len(src) && (src[i] == 'e' || src[i] == 'E') {
		integer, exponent = false, true
		if i++; i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		power := i
		if i = skipDigits(src, power); i == power {
			return 0, false, false, unexpected(src, i, "a digit of the exponent")
		}
	}
	return i, integer, exponent, nil
}

func skipDigits(src []byte, i int) int {
	for i < len(src) && src[i]-'0' <= 9 {
		i++
	}
	return i
}

// TooWide returns the error for a number outside of a double's range.
func TooWide(offset int) *Error {
	return fail(NumberRange, offset, "number beyond the range of a double")
}
