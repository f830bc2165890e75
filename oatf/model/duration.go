package model

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/cupel-dev/cupel/internal/say"
)

// ParseDuration parses a duration (§5.2): a number and a unit (30s, 5m, 1h, 2d), or ISO 8601 with integer days,
// hours, minutes and seconds (PT30S, P1DT12H). It rejects weeks, months, years, fractions, signs, spaces and values
// beyond time.Duration (about 292 years).
func ParseDuration(input string) (time.Duration, error) {
	parse := parseShorthand
	if strings.HasPrefix(input, "P") {
		parse = parseISODuration
	}
	d, err := parse(input)
	if err != nil {
		return 0, fmt.Errorf("invalid duration %q: %w", say.Preview(input, say.Usual), err)
	}
	return d, nil
}

var (
	errDurationForm  = errors.New("write a number and one of s, m, h, d (30s) or ISO 8601 (PT30S, P1DT12H)")
	errDurationRange = errors.New("longer than 292 years")
)

const day = 24 * time.Hour

func parseShorthand(input string) (time.Duration, error) {
	units := map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': day}
	n, rest, ok := digits(input)
	if !ok || len(rest) != 1 || units[rest[0]] == 0 {
		return 0, errDurationForm
	}
	return addUnits(0, n, units[rest[0]])
}

func parseISODuration(input string) (time.Duration, error) {
	date, clock, hasClock := strings.Cut(input[1:], "T")
	if (date == "" && !hasClock) || (hasClock && clock == "") {
		return 0, errDurationForm
	}
	total, rest, err := component(0, date, 'D', day)
	if err == nil && rest != "" {
		err = errDurationForm
	}
	for _, part := range []struct {
		letter byte
		unit   time.Duration
	}{{'H', time.Hour}, {'M', time.Minute}, {'S', time.Second}} {
		if err == nil {
			total, clock, err = component(total, clock, part.letter, part.unit)
		}
	}
	if err == nil && clock != "" {
		err = errDurationForm
	}
	return total, err
}

// component parses an optional "12H" at the start of text.
func component(total time.Duration, text string, letter byte, unit time.Duration) (time.Duration, string, error) {
	n, rest, ok := digits(text)
	if !ok || rest == "" || rest[0] != letter {
		return total, text, nil
	}
	total, err := addUnits(total, n, unit)
	return total, rest[1:], err
}

// digits parses leading digits. Numbers too large for seconds are capped: every unit overflows.
func digits(text string) (n int64, rest string, ok bool) {
	i := 0
	for ; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
		if n < math.MaxInt64/100 {
			n = n*10 + int64(text[i]-'0')
		}
	}
	return n, text[i:], i > 0
}

func addUnits(total time.Duration, n int64, unit time.Duration) (time.Duration, error) {
	if n > int64((math.MaxInt64-total)/unit) {
		return 0, errDurationRange
	}
	return total + time.Duration(n)*unit, nil
}
