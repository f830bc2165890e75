package value

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf/model"
)

func drawNumber(t *rapid.T, label string) string {
	digits := rapid.SampledFrom([]string{"0", "1", "9", "10", "00", "01", "09", "123456789012345678901234567890", "", "5000"})
	whole := strings.TrimLeft(digits.Draw(t, label+" whole"), "0")
	if whole == "" {
		whole = "0"
	}
	text := rapid.SampledFrom([]string{"", "-"}).Draw(t, label+" sign") + whole
	if fraction := digits.Draw(t, label+" fraction"); fraction != "" {
		text += "." + fraction
	}
	return text
}

// TestCompareLaws compares as exact fractions do, and whatever both exponents are raised by.
func TestCompareLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := drawNumber(t, "x"), drawNumber(t, "y")
		ex, ey := rapid.Int64Range(-40, 40).Draw(t, "ex"), rapid.Int64Range(-40, 40).Draw(t, "ey")
		raise, _ := new(big.Int).SetString(rapid.SampledFrom([]string{
			"0", "400", "-400", "999999999", "9223372036854775807", "-9223372036854775808", "99999999999999999999", "-100000000000000000000000", "1000000000000000000000000000000000000000000",
		}).Draw(t, "raise"), 10)
		a := new(big.Rat)
		b := new(big.Rat)
		if _, ok := a.SetString(fmt.Sprintf("%se%d", x, ex)); !ok {
			t.Fatal(x)
		}
		if _, ok := b.SetString(fmt.Sprintf("%se%d", y, ey)); !ok {
			t.Fatal(y)
		}
		spelled := func(digits string, exponent int64) model.Number {
			e := new(big.Int).Add(big.NewInt(exponent), raise)
			sign := ""
			if e.Sign() >= 0 && rapid.Bool().Draw(t, "plus") {
				sign = "+"
			}
			letter := rapid.SampledFrom([]string{"e", "E"}).Draw(t, "letter")
			return model.Number(digits + letter + sign + e.String())
		}
		n, m := spelled(x, ex), spelled(y, ey)
		if order, ok := Compare(n, m); !ok || order != a.Cmp(b) {
			t.Fatalf("%s and %s: %d, %t, expected %d", n, m, order, ok, a.Cmp(b))
		}
	})
}

// TestFarExponents compares numbers that no machine can write out.
func TestFarExponents(t *testing.T) {
	nines, zeros := strings.Repeat("9", 1000), "1"+strings.Repeat("0", 1000)
	for _, c := range []struct {
		a, b model.Number
		want int
	}{
		{"1e400", "1e399", 1},
		{"1e-400000000", "0", 1},
		{"1e999999999", "9e999999998", 1},
		{model.Number("1e" + zeros), model.Number("9e" + nines), 1}, // one more than the other
		{model.Number("1e" + zeros), model.Number("10e" + nines), 0},
		{model.Number("1e-" + zeros), model.Number("1e-" + nines), -1},
		{model.Number("1e" + zeros), model.Number("1e-" + zeros), 1},
		{model.Number("-1e" + zeros), model.NegInf, 1},
		{model.Inf, model.Number("1e" + zeros), 1},
		{model.Inf, model.Inf, 0},
		{"1e0000000000000000000000001", "10", 0},
		{"-0", "0e5", 0},
	} {
		if order, ok := Compare(c.a, c.b); !ok || order != c.want {
			t.Errorf("%.20s and %.20s: %d, %t, expected %d", c.a, c.b, order, ok, c.want)
		}
		if order, ok := Compare(c.b, c.a); !ok || order != -c.want {
			t.Errorf("%.20s and %.20s: %d, %t, expected %d", c.b, c.a, order, ok, -c.want)
		}
	}
	for _, n := range []model.Number{model.NaN, "", "-", "1.", ".5", "1e", "1e+", "1x", "+1", "0x1", "1e5.0", "inf"} {
		if _, ok := Compare(n, "1"); ok {
			t.Errorf("%q has an order", n)
		}
	}
}

// TestEqualWideObjects compares objects of many members in another order.
func TestEqualWideObjects(t *testing.T) {
	var a, b model.Object
	for i := range 20_000 {
		a = append(a, model.Member{Key: fmt.Sprint(i), Value: model.Number(fmt.Sprint(i))})
	}
	for i := range a {
		b = append(b, a[len(a)-1-i])
	}
	if !Equal(a, b) {
		t.Error("the order of members matters")
	}
	b[7].Value = "other"
	if Equal(a, b) || Equal(a, b[1:]) {
		t.Error("different objects are equal")
	}
}

// TestText spells values of every kind.
func TestText(t *testing.T) {
	for _, c := range []struct {
		value      model.Value
		text, json string
	}{
		{nil, "null", "null"},
		{true, "true", "true"},
		{false, "false", "false"},
		{"a\"\n<é", "a\"\n<é", `"a\"\n<é"`},
		{model.Number("1.0e+2"), "1.0e+2", "1.0e+2"},
		{model.Inf, "null", "null"},
		{model.NegInf, "null", "null"},
		{model.NaN, "null", "null"},
		{[]model.Value{}, "[]", "[]"},
		{[]model.Value{"a", nil, []model.Value{model.Number("1")}}, `["a",null,[1]]`, `["a",null,[1]]`},
		{model.Object{}, "{}", "{}"},
		{model.Object(nil), "{}", "{}"},
		{model.Object{{Key: "z\t", Value: "a"}, {Key: "a", Value: model.Object{{Key: "", Value: true}}}}, `{"z\t":"a","a":{"":true}}`, `{"z\t":"a","a":{"":true}}`},
	} {
		if text, json := string(Text([]byte("-"), c.value)), string(JSON([]byte("-"), c.value)); text != "-"+c.text || json != "-"+c.json {
			t.Errorf("%#v: %s and %s, expected %s and %s", c.value, text, json, c.text, c.json)
		}
	}
}

// TestEqual compares each of a list of different values with itself and with the others.
func TestEqual(t *testing.T) {
	different := []model.Value{
		nil, true, false, "", "1", "a", model.Number("1"), model.Number("1.5"), model.Inf, model.NegInf,
		[]model.Value{},
		[]model.Value{nil},
		[]model.Value{"a", "b"},
		[]model.Value{"b", "a"},
		[]model.Value{"a", "b", "c"},
		model.Object{},
		model.Object{{Key: "a"}},
		model.Object{{Key: "b"}},
		model.Object{{Key: "a", Value: "1"}},
		model.Object{{Key: "a", Value: "1"}, {Key: "b", Value: "2"}},
		model.Object{{Key: "a", Value: "2"}, {Key: "b", Value: "1"}},
		model.Object{{Key: "a", Value: "1"}, {Key: "c", Value: "2"}},
	}
	for i, a := range different {
		for k, b := range different {
			if Equal(a, b) != (i == k) {
				t.Errorf("%s and %s: %t", JSON(nil, a), JSON(nil, b), i != k)
			}
		}
	}
	if Equal(model.NaN, model.NaN) || Equal([]model.Value{model.NaN}, []model.Value{model.NaN}) {
		t.Error("NaN equals itself")
	}
	if !Equal(model.Object{{Key: "a", Value: "1"}, {Key: "b", Value: "2"}}, model.Object{{Key: "b", Value: "2"}, {Key: "a", Value: "1"}}) {
		t.Error("the order of members matters")
	}
	for _, members := range []int{fewMembers, fewMembers + 1} {
		var wide, swapped model.Object
		for i := range members {
			wide = append(wide, model.Member{Key: fmt.Sprint(i), Value: model.Number("1")})
		}
		swapped = append(swapped, wide...)
		swapped[0], swapped[1] = swapped[1], swapped[0]
		if !Equal(wide, swapped) {
			t.Errorf("the order of %d members matters", members)
		}
		swapped[1].Value = model.Number("2") // the first of wide
		if Equal(wide, swapped) || Equal(swapped, wide) {
			t.Errorf("one of %d members does not matter", members)
		}
		swapped[1] = model.Member{Key: "other", Value: model.Number("1")}
		if Equal(wide, swapped) || Equal(swapped, wide) {
			t.Errorf("the name of one of %d members does not matter", members)
		}
	}
}
