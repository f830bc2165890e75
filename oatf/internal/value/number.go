package value

import (
	"cmp"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Compare orders two numbers by their mathematical value, whatever their spelling: exactly,
// and in time in proportion to what is spelled, however large an exponent is. ok is false
// when one of them is NaN, or no number at all.
func Compare(a, b model.Number) (order int, ok bool) {
	x, okX := ReadDecimal(a)
	y, okY := ReadDecimal(b)
	if !okX || !okY {
		return 0, false
	}
	return x.Compare(y), true
}

// Decimal is a number as 0.DIGITS × 10^(point + exponent), where DIGITS, those of whole
// and then those of fraction, neither begin nor end with a zero. Zero has no digits.
type Decimal struct {
	negative, infinite bool
	whole, fraction    string
	point              int64

	exponent         string // its digits, as spelled
	exponentNegative bool
}

// ReadDecimal reads a number of JSON's spelling, or an infinity. It copies nothing.
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

// trim takes the zeros off both ends of the digits.
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

// sign is -1, 0 or 1.
func (d *Decimal) sign() int {
	switch {
	case !d.infinite && d.whole == "" && d.fraction == "":
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// Compare is -1, 0 or 1 as the number is less than, equal to or greater than another.
func (d *Decimal) Compare(other Decimal) int {
	sign := d.sign()
	if order := cmp.Compare(sign, other.sign()); order != 0 || sign == 0 {
		return order
	}
	return sign * d.compareMagnitude(&other)
}

// compareMagnitude compares two numbers without their signs, neither of which is zero.
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

// farApart is a difference of exponents that no number of digits makes up for, and from
// which on further digits of the exponents only make it larger.
const farApart = 1 << 56

// exponentDifference is the exponent of a less that of b, or ±farApart when it is at least
// that. Exponents may have any number of digits, so they are subtracted digit by digit from
// the left.
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

// exponentDigit is the digit of the exponent at a place counted from its end, with its sign.
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
