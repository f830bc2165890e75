package jcs_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/reference"
	"github.com/cupel-dev/cupel/internal/selftest"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// profiles returns all that a format could define out of these parts.
func profiles() (list []*jcs.Profile) {
	for bits := range 1 << 6 {
		on := func(bit int) bool { return bits>>bit&1 == 1 }
		p := &jcs.Profile{UTF16Order: on(0), NFC: on(1), Python: on(2), ExponentPlus: on(3), Zero: "0", NegativeZero: "-0"}
		if on(4) {
			p.Zero = "0.0"
		}
		if on(5) {
			p.NegativeZero = "0"
		}
		p.Name = fmt.Sprintf("%+v", *p)
		list = append(list, p)
	}
	return list
}

// TestAgainstNaive compares random documents under every profile with a writer that takes
// no short ways: it decodes with the standard library, sorts decoded names and formats
// decoded numbers. The text is scanned twice: the second time, the shapes of its objects may be
// known.
func TestAgainstNaive(t *testing.T) {
	all := profiles()
	scanner, scans := strictjson.NewScanner(strictjson.Limits{}), 0
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(value(2).Draw(t, "text"))
		p := rapid.SampledFrom(all).Draw(t, "profile")
		if scans++; scans%100 == 0 {
			scanner = strictjson.NewScanner(strictjson.Limits{}) // which has room for new shapes
		}
		if _, err := scanner.Scan(text); err != nil {
			return // names repeat
		}
		doc, err := scanner.Scan(text)
		if err != nil {
			t.Fatal(err)
		}
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		var decoded any
		if err := dec.Decode(&decoded); err != nil {
			t.Fatal(err)
		}
		if got, want := string(jcs.NewWriter(p).Append(nil, doc.Root())), naive(p, decoded); got != want {
			t.Fatalf("%s under %s:\n  got %s\nnaive %s", text, p.Name, got, want)
		}
	})
}

func naive(p *jcs.Profile, v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return naiveNumber(p, v.String())
	case string:
		if p.NFC {
			v = norm.NFC.String(v)
		}
		return naiveText(v)
	case []any:
		var list []string
		for _, e := range v {
			list = append(list, naive(p, e))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	object := v.(map[string]any)
	var names, list []string
	for name := range object {
		names = append(names, name)
	}
	slices.SortFunc(names, orderOf(p))
	for _, name := range names {
		list = append(list, naiveText(name)+":"+naive(p, object[name]))
	}
	return "{" + strings.Join(list, ",") + "}"
}

// orderOf compares names by the units that a profile sorts by.
func orderOf(p *jcs.Profile) func(a, b string) int {
	if p.UTF16Order {
		return func(a, b string) int { return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b))) }
	}
	return func(a, b string) int { return slices.Compare([]rune(a), []rune(b)) }
}

// naiveText quotes a string as RFC 8785 §3.2.2.2 lists it.
func naiveText(s string) string {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	var b strings.Builder
	for _, r := range s {
		switch {
		case short[r] != "":
			b.WriteString(short[r])
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}

func naiveNumber(p *jcs.Profile, text string) string {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	integer := !strings.ContainsAny(text, ".eE")
	switch {
	case !p.Python:
		want, err := reference.Number(f)
		if err != nil {
			panic(err)
		}
		return want
	case integer && text == "-0":
		return "0"
	case integer:
		return text
	case f == 0 && math.Signbit(f):
		return p.NegativeZero
	case f == 0:
		return p.Zero
	}
	return naiveRepr(p, f)
}

// naiveRepr writes a double as Python's repr does, from its digits and the place of its
// point: fixed from 1e-4 up to 1e16, else with an exponent of two digits at least.
func naiveRepr(p *jcs.Profile, f float64) string {
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(math.Abs(f), 'e', -1, 64), "e")
	power, err := strconv.Atoi(exponent)
	if err != nil {
		panic(err)
	}
	digits = strings.Replace(digits, ".", "", 1)
	sign := ""
	if f < 0 {
		sign = "-"
	}
	switch {
	case power >= 16 || power < -4:
		if len(digits) > 1 {
			digits = digits[:1] + "." + digits[1:]
		}
		plus := "+"
		if power < 0 || !p.ExponentPlus {
			plus = ""
		}
		if power < 0 {
			return fmt.Sprintf("%s%se-%02d", sign, digits, -power)
		}
		return fmt.Sprintf("%s%se%s%02d", sign, digits, plus, power)
	case power < 0:
		return sign + "0." + strings.Repeat("0", -power-1) + digits
	}
	digits += strings.Repeat("0", max(0, power+2-len(digits)))
	return sign + digits[:power+1] + "." + digits[power+1:]
}

// TestNumbersUnderEveryProfile writes numbers around every boundary of the spellings, by
// every profile.
func TestNumbersUnderEveryProfile(t *testing.T) {
	var texts []string
	for power := -9; power <= 23; power++ {
		for _, digits := range []string{"1", "9", "1.5", "1.25", "9.999999999999999", "-3", "1.0", "123456789012345.6", "12345678901234567"} {
			texts = append(texts, fmt.Sprintf("%se%d", digits, power), fmt.Sprintf("%sE%+03d", digits, power))
		}
		f := strconv.FormatFloat(math.Pow10(power), 'f', -1, 64)
		texts = append(texts, f, "-"+f, strings.Repeat("1", power+10), "0."+strings.Repeat("0", power+9)+"1", "-0."+strings.Repeat("0", power+9)+"25")
	}
	texts = append(texts, "0", "-0", "0.0", "-0.0", "0e5", "-0E-5", "1.10", "100", "10.0", "0.10", "5e-324", "1.7976931348623157e308")
	for _, p := range profiles() {
		for _, text := range texts {
			if got, want := string(canonical(t, p, []byte(text))), naiveNumber(p, text); got != want {
				t.Errorf("%s under %s: %s, expected %s", text, p.Name, got, want)
			}
		}
	}
}

// TestAppendFloat appends to what is there, which it must not touch.
func TestAppendFloat(t *testing.T) {
	for _, f := range []float64{0, math.Copysign(0, -1), 1e-7, 1.5e-7, 1e21, 123e20, 1e100, 0.5} {
		want, err := reference.Number(f)
		if got := string(jcs.AppendFloat([]byte("0e-09"), f)); err != nil || got != "0e-09"+want {
			t.Errorf("%g: %s, expected %s, %v", f, got, want, err)
		}
	}
}

// TestOrder sorts every pair of names that share their first bytes, up to and beyond the eight that are compared as
// one number, and differ after them in characters of every width; in small objects and in large ones, escaped or not.
func TestOrder(t *testing.T) {
	tails := []string{"", "\x00", "!", "a", "aa", "\u007f", "é", "\ud7ff", "\ue000", "\ufb33", "\uffff", "\U00010000", "\U0010ffff", "a\ue000", "a\U00010000"}
	for _, p := range []*jcs.Profile{{UTF16Order: true}, {UTF16Order: false}, {UTF16Order: true, NFC: true}, {Python: true, Zero: "0", NegativeZero: "0"}} {
		w := jcs.NewWriter(p)
		for shared := range 12 {
			head := strings.Repeat("s", shared)
			var all []string
			for i, a := range tails {
				all = append(all, head+a)
				for _, b := range tails[:i] {
					checkOrder(t, p, w, []string{head + a, head + b})
					checkOrder(t, p, w, []string{head + b, head + a})
				}
			}
			for i := range 20 { // beyond the size up to which members are inserted one by one
				all = append(all, fmt.Sprintf("%sz%02d", head, 37*i%20))
			}
			checkOrder(t, p, w, all)
		}
	}
}

func checkOrder(t *testing.T, p *jcs.Profile, w *jcs.Writer, names []string) {
	t.Helper()
	for _, escaped := range []bool{false, true} {
		var members []string
		for i, name := range names {
			members = append(members, fmt.Sprintf("%s:%d", literal(name, escaped), i))
		}
		text := "{" + strings.Join(members, ",") + "}"
		sorted := slices.Clone(names)
		slices.SortFunc(sorted, orderOf(p))
		var want []string
		for _, name := range sorted {
			want = append(want, fmt.Sprintf("%s:%d", naiveText(name), slices.Index(names, name)))
		}
		doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := string(w.Append(nil, doc.Root())); got != "{"+strings.Join(want, ",")+"}" {
			t.Fatalf("%s under %+v: %s, expected %s", text, *p, got, want)
		}
	}
}

// literal returns a name as JSON source, with every unit escaped or only what must be.
func literal(name string, escaped bool) string {
	if !escaped {
		return naiveText(name)
	}
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(name)) {
		fmt.Fprintf(&b, `\u%04x`, u)
	}
	return `"` + b.String() + `"`
}

// TestAppendObject makes an object of every choice of members, in every order: it is the
// object that holds just these. No members make the empty one.
func TestAppendObject(t *testing.T) {
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(`{"outer":{"b":[1,{"y":2,"x":3}],"a":"x"},"c":null,"B":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	outer := doc.Root().Get("outer")
	members := []strictjson.Node{outer.Get("b"), outer.Get("a"), doc.Root().Get("c"), doc.Root().Get("B")}
	w := jcs.NewWriter(nil)
	n := 0
	var choose func(chosen []strictjson.Node)
	choose = func(chosen []strictjson.Node) {
		n++
		var parts []string
		for _, m := range chosen {
			parts = append(parts, string(m.KeyRaw())+":"+string(m.Raw()))
		}
		whole, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte("{" + strings.Join(parts, ",") + "}"))
		if err != nil {
			t.Fatal(err)
		}
		want := "before" + string(jcs.NewWriter(nil).Append(nil, whole.Root()))
		if got := string(w.AppendObject([]byte("before"), chosen)); got != want {
			t.Errorf("%s, expected %s", got, want)
		}
		for _, m := range members {
			if !slices.Contains(chosen, m) {
				choose(append(slices.Clone(chosen), m))
			}
		}
	}
	choose(nil)
	if n != 65 { // 1 + 4 + 12 + 24 + 24
		t.Errorf("%d choices", n)
	}
	if got := string(w.AppendObject([]byte("before"), nil)); got != "before{}" {
		t.Error(got)
	}
}

// TestVectorsOfCore runs the cases that the binary brings along.
func TestVectorsOfCore(t *testing.T) {
	for _, s := range []selftest.Suite{selftest.Canonical(nil), selftest.Numbers(3000)} {
		for _, failure := range s.Failures {
			t.Error(failure)
		}
	}
}

// TestStrings writes every character of the basic range and pairs that normalisation
// joins, escaped and not, under both forms.
func TestStrings(t *testing.T) {
	var list []string
	for r := rune(0); r <= 0x2ff; r++ {
		list = append(list, string(r))
	}
	list = append(list, "", "e\u0301", "\u1e9b\u0323", "\u2126", "a\u0300\u0301", "\U0001f600", "\u2028", "\"e\u0301\\", "\n\u212b")
	for _, nfc := range []bool{false, true} {
		p := &jcs.Profile{UTF16Order: true, NFC: nfc}
		w := jcs.NewWriter(p)
		for _, s := range list {
			for _, escaped := range []bool{false, true} {
				doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(literal(s, escaped)))
				if err != nil {
					t.Fatal(err)
				}
				if got := string(w.Append(nil, doc.Root())); got != naive(p, s) {
					t.Errorf("%q, NFC %v: %s, expected %s", s, nfc, got, naive(p, s))
				}
			}
		}
	}
}

// TestNewWriter: no profile is RFC 8785.
func TestNewWriter(t *testing.T) {
	text := []byte(`{"\ue000":1.0,"\ud83d\ude00":-0}`)
	if a, b := canonical(t, nil, text), canonical(t, jcs.RFC8785, text); !bytes.Equal(a, b) || string(a) != "{\"😀\":0,\"\ue000\":1}" {
		t.Errorf("%s, %s", a, b)
	}
}
