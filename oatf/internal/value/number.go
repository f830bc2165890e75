package value

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Compare compares numbers exactly in time linear in their length. ok is false for NaN and invalid numbers.
func Compare(a, b model.Number) (order int, ok bool) {
	x, okX := ReadDecimal(a)
	y, okY := ReadDecimal(b)
	if !okX || !okY {
		return 0, false
	}
	return x.Compare(y), true
}

// Decimal is the number 0.DIGITS × 10^(point + exponent). DIGITS is whole followed by fraction, without leading or
// trailing zeros. Zero has no digits.
type Decimal struct {
	negative, infinite bool
	whole, fraction    string
	point              int64

	exponent         string // its digits, as spelled
	exponentNegative bool
}

// ReadDecimal parses a JSON number or an infinity without copying.
func ReadDecimal(n model.Number) (d Decimal, ok bool) {
	switch n {
	case model.Inf, model.NegInf:
		return Decimal{infinite: true, negative: n == model.NegInf}, true
	case model.NaN:
		return Decimal{}, false
	}
	text, negative := strings.CutPrefix(string(n), "-")
	d.negative = negative
	if d.whole, text = cutDigits(text); d.whole == "" {
		return Decimal{}, false
	}
	if rest, found := strings.CutPrefix(text, "."); found {
		if d.fraction, text = cutDigits(rest); d.fraction == "" {
			return Decimal{}, false
		}
	}
	if text != "" && !d.readExponent(text) {
		return Decimal{}, false
	}
	d.trim()
	return d, true
}

// readExponent reads an exponent, which ends the text.
func (d *Decimal) readExponent(text string) bool {
	if text[0] != 'e' && text[0] != 'E' {
		return false
	}
	text = text[1:]
	if rest, minus := strings.CutPrefix(text, "-"); minus {
		d.exponentNegative, text = true, rest
	} else {
		text = strings.TrimPrefix(text, "+")
	}
	d.exponent, text = cutDigits(text)
	return d.exponent != "" && text == ""
}

// trim removes the zeros at both ends of the digits.
func (d *Decimal) trim() {
	d.whole = strings.TrimLeft(d.whole, "0")
	d.point = int64(len(d.whole))
	if d.whole == "" {
		digits := strings.TrimLeft(d.fraction, "0")
		d.point = -int64(len(d.fraction) - len(digits))
		d.fraction = digits
	}
	d.fraction = strings.TrimRight(d.fraction, "0")
	if d.fraction == "" {
		d.whole = strings.TrimRight(d.whole, "0")
	}
}

func cutDigits(text string) (digits, rest string) {
	n := 0
	for n < len(text) && vocabulary.IsDigit(text[n]) {
		n++
	}
	return text[:n], text[n:]
}

func (d *Decimal) sign() int {
	switch {
	case !d.infinite && d.whole == "" && d.fraction == "":
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// Compare returns -1, 0 or 1 if the number is less than, equal to or greater than other.
func (d *Decimal) Compare(other Decimal) int {
	sign := d.sign()
	if order := cmp.Compare(sign, other.sign()); order != 0 || sign == 0 {
		return order
	}
	return sign * d.compareMagnitude(&other)
}

// compareMagnitude compares the magnitudes of nonzero numbers.
func (d *Decimal) compareMagnitude(other *Decimal) int {
	if d.infinite || other.infinite {
		return boolean(d.infinite) - boolean(other.infinite)
	}
	if more := exponentDifference(d, other) + d.point - other.point; more != 0 {
		return cmp.Compare(more, 0)
	}
	for i := range min(d.len(), other.len()) {
		if order := cmp.Compare(d.digit(i), other.digit(i)); order != 0 {
			return order
		}
	}
	return cmp.Compare(d.len(), other.len())
}

func (d *Decimal) len() int { return len(d.whole) + len(d.fraction) }

func (d *Decimal) digit(i int) byte {
	if i < len(d.whole) {
		return d.whole[i]
	}
	return d.fraction[i-len(d.whole)]
}

// farApart is an exponent difference that outweighs any number of digits.
const farApart = 1 << 56

// exponentDifference returns the difference of exponents, clamped to ±farApart. It subtracts digit by digit,
// because exponents can have any length.
func exponentDifference(a, b *Decimal) int64 {
	var difference int64
	for place := max(len(a.exponent), len(b.exponent)); place > 0; place-- {
		difference = difference*10 + a.exponentDigit(place) - b.exponentDigit(place)
		if difference >= farApart {
			return farApart
		}
		if difference <= -farApart {
			return -farApart
		}
	}
	return difference
}

// exponentDigit returns the signed digit of the exponent at a place counted from its end.
func (d *Decimal) exponentDigit(place int) int64 {
	if place > len(d.exponent) {
		return 0
	}
	digit := int64(d.exponent[len(d.exponent)-place] - '0')
	if d.exponentNegative {
		return -digit
	}
	return digit
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Double returns the number of a double, whose Float64 is the same double.
func Double(f float64) model.Number {
	switch {
	case math.IsNaN(f):
		return model.NaN
	case math.IsInf(f, 1):
		return model.Inf
	case math.IsInf(f, -1):
		return model.NegInf
	}
	return model.Number(strconv.FormatFloat(f, 'g', -1, 64))
}
