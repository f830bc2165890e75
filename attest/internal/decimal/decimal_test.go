package decimal_test

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest/internal/decimal"
)

func TestParse(t *testing.T) {
	for raw, want := range map[string]string{
		"0.10":                               "0.10",
		"-5":                                 "-5",
		"9007199254740993":                   "9007199254740993",
		"12345678901234567890.5":             "12345678901234567890.5",
		"1e2":                                "100",
		"1.5E-3":                             "0.0015",
		"1e400":                              "1" + strings.Repeat("0", 400),
		"1e401":                              "",
		"1e-401":                             "",
		"1e99999999999999999999":             "",
		strings.Repeat("1", 1000):            strings.Repeat("1", 1000),
		strings.Repeat("1", 1001):            "",
		"x":                                  "",
		"0." + strings.Repeat("0", 20) + "1": "0." + strings.Repeat("0", 20) + "1",
	} {
		n, ok := decimal.Parse([]byte(raw))
		if ok != (want != "") || n.Text != want {
			t.Errorf("%.40s: %q, %v", raw, n.Text, ok)
		}
	}
}

// rat returns the value of the text.
func rat(n decimal.Number) *big.Rat {
	r, _ := new(big.Rat).SetString(n.Text)
	return r
}

// TestCompare holds comparisons against fractions.
func TestCompare(t *testing.T) {
	digits := rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?(e-?[0-9]{1,2})?`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := digits.Draw(t, "a"), digits.Draw(t, "b")
		x, ok1 := decimal.Parse([]byte(a))
		y, ok2 := decimal.Parse([]byte(b))
		if !ok1 || !ok2 {
			t.Fatalf("%s, %s are no numbers", a, b)
		}
		r1, _ := new(big.Rat).SetString(a)
		r2, _ := new(big.Rat).SetString(b)
		if got, want := x.Compare(y), r1.Cmp(r2); got != want || rat(x).Cmp(r1) != 0 || x.Whole() != r1.IsInt() {
			t.Fatalf("%s against %s: %d, want %d", a, b, got, want)
		}
		distance := new(big.Rat).Sub(r1, r2)
		if got, want := x.Near(y, y), distance.Abs(distance).Cmp(r2) <= 0; got != want {
			t.Fatalf("%s within %s of it: %v", a, b, got)
		}
	})
}

// TestSum holds sums against fractions.
func TestSum(t *testing.T) {
	digits := rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?(e-?[0-9]{1,2})?`)
	rapid.Check(t, func(t *rapid.T) {
		var sum decimal.Sum
		want := new(big.Rat)
		for _, text := range rapid.SliceOfN(digits, 0, 9).Draw(t, "numbers") {
			n, ok := decimal.Parse([]byte(text))
			if !ok {
				t.Fatalf("%s is not a number", text)
			}
			sum.Add(n)
			want.Add(want, rat(n))
		}
		if got := sum.Number(); rat(got).Cmp(want) != 0 || strings.ContainsAny(got.Text, "eE") {
			t.Fatalf("got %s, want %s", got.Text, want)
		}
	})
}

func TestFromInt(t *testing.T) {
	for a := -3; a <= 3; a++ {
		for b := -3; b <= 3; b++ {
			x, y := decimal.FromInt(a), decimal.FromInt(b)
			if x.Compare(y) != cmp.Compare(a, b) || x.Text != strconv.Itoa(a) {
				t.Errorf("%d against %d: %d", a, b, x.Compare(y))
			}
		}
	}
}

// TestAppendValue holds the one spelling of a value against equality.
func TestAppendValue(t *testing.T) {
	digits := rapid.StringMatching(`-?(0|[1-9][0-9]{0,2}|[1-9][0-9]{60,70})(\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := digits.Draw(t, "a"), digits.Draw(t, "b")
		x, _ := new(big.Rat).SetString(a)
		y, _ := new(big.Rat).SetString(b)
		one, other := string(decimal.AppendValue(nil, []byte(a))), string(decimal.AppendValue(nil, []byte(b)))
		if (one == other) != (x.Cmp(y) == 0) {
			t.Fatalf("%s is %s, %s is %s", a, one, b, other)
		}
	})
	for raw, want := range map[string]string{
		"0": "0", "-0.00e5": "0", "10": "1e1", "1.0": "1e0", "100e-2": "1e0", "-0.0120": "-12e-3", "1e401": "1e401", "1E99999999999999999999": "1E99999999999999999999",
	} {
		if got := string(decimal.AppendValue([]byte("x"), []byte(raw))); got != "x"+want {
			t.Errorf("%s: %s", raw, got)
		}
	}
}

// TestSubtract: what was added is taken away again.
func TestSubtract(t *testing.T) {
	var sum decimal.Sum
	for _, raw := range []string{"5", "0.1", "1e300", "-9223372036854775807"} {
		n, _ := decimal.Parse([]byte(raw))
		sum.Add(n)
		sum.Subtract(n)
	}
	n, _ := decimal.Parse([]byte("2.5"))
	sum.Subtract(n)
	if got := sum.Number().Text; got != "-2.5" {
		t.Error(got)
	}
}
