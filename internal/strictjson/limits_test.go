package strictjson_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// TestLimits scans texts of every small size under every small limit: what is as large as
// the limit passes, one more does not, and the error names the limit and where it was
// passed.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		code   strictjson.Code
		limits func(n int) strictjson.Limits
		text   func(n int) string
		offset func(limit int) int
	}{
		{
			strictjson.Depth, func(n int) strictjson.Limits { return strictjson.Limits{Depth: n} },
			func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) },
			func(limit int) int { return limit },
		},
		{
			strictjson.TooManyKeys, func(n int) strictjson.Limits { return strictjson.Limits{Keys: n} }, object,
			func(limit int) int { return len(object(limit)) },
		},
		{
			strictjson.TooManyValues, func(n int) strictjson.Limits { return strictjson.Limits{Values: n} },
			func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) },
			func(limit int) int { return limit },
		},
		{
			strictjson.TooManyValues, func(n int) strictjson.Limits { return strictjson.Limits{Values: n} },
			func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("1,", n-1), ",") + "]" },
			func(limit int) int { return 2*limit - 1 },
		},
		{
			strictjson.StringLength, func(n int) strictjson.Limits { return strictjson.Limits{StringChars: n} },
			func(n int) string { return `"` + strings.Repeat("s", n) + `"` },
			func(int) int { return 1 },
		},
		{
			strictjson.TextLength, func(n int) strictjson.Limits { return strictjson.Limits{TextBytes: n} },
			func(n int) string { return strings.Repeat("1", n) },
			func(int) int { return 0 },
		},
	} {
		for limit := 1; limit <= 30; limit++ {
			for size := 1; size <= 31; size++ {
				_, err := strictjson.NewScanner(c.limits(limit)).Scan([]byte(c.text(size)))
				var e *strictjson.Error
				switch {
				case size <= limit:
					if err != nil {
						t.Errorf("%s: %d with a limit of %d: %v", c.code, size, limit, err)
					}
				case !errors.As(err, &e) || e.Code != c.code || e.Limit != limit || !e.IsLimit() || e.Offset != c.offset(limit) ||
					!strings.Contains(e.Message, fmt.Sprintf("the limit is %d", limit)):
					t.Errorf("%s: %d with a limit of %d: %+v", c.code, size, limit, e)
				}
			}
		}
	}
	if e := (&strictjson.Error{Code: strictjson.Syntax}); e.IsLimit() {
		t.Error("the grammar is no limit")
	}
}

// object returns the text of an object with n members.
func object(n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(`"k%d":%d`, i, i)
	}
	return "{" + strings.Join(members, ",") + "}"
}

// TestDefaultLimits checks the limits that replace a zero field.
func TestDefaultLimits(t *testing.T) {
	s := strictjson.NewScanner(strictjson.Limits{})
	if _, err := s.Scan([]byte(object(strictjson.DefaultKeys))); err != nil {
		t.Error(err)
	}
	var e *strictjson.Error
	if _, err := s.Scan([]byte(object(strictjson.DefaultKeys + 1))); !errors.As(err, &e) || e.Code != strictjson.TooManyKeys {
		t.Error(err)
	}
}

// TestStringLimit counts code points, however they are spelled.
func TestStringLimit(t *testing.T) {
	pieces := []string{"a", `\n`, `\u00e9`, "é", "€", "😀", `\ud83d\ude00`, "🎉"}
	texts(pieces, 3, func(text []byte) {
		chars := 0
		for rest := string(text); rest != ""; chars++ {
			for _, p := range pieces {
				if strings.HasPrefix(rest, p) {
					rest = rest[len(p):]
					break
				}
			}
		}
		for limit := 1; limit <= 4; limit++ {
			source := append(append([]byte{'"'}, text...), '"')
			_, err := strictjson.NewScanner(strictjson.Limits{StringChars: limit}).Scan(source)
			if (err == nil) != (chars <= limit) {
				t.Errorf("%s of %d code points with a limit of %d: %v", source, chars, limit, err)
			}
			if err != nil && !strings.Contains(err.Error(), fmt.Sprintf("string of %d characters", chars)) {
				t.Errorf("%s: %v", source, err)
			}
		}
	})
}

// units are the code units at the boundaries of the two halves of surrogate pairs.
var units = []uint16{0x0000, 0x0041, 0xd7ff, 0xd800, 0xd801, 0xdbfe, 0xdbff, 0xdc00, 0xdc01, 0xdffe, 0xdfff, 0xe000, 0xffff}

// TestSurrogates reads every short row of these code units as escapes and compares with the standard library's
// reading of UTF-16: the strict scanner refuses invalid UTF-16 and points at it, the lenient one reads U+FFFD for
// each half.
func TestSurrogates(t *testing.T) {
	strict := strictjson.NewScanner(strictjson.Limits{})
	lenient := strictjson.NewScanner(strictjson.Limits{LoneSurrogates: true})
	var row []uint16
	var grow func(left int)
	grow = func(left int) {
		checkUnits(t, strict, lenient, row)
		if left == 0 {
			return
		}
		for _, u := range units {
			row = append(row, u)
			grow(left - 1)
			row = row[:len(row)-1]
		}
	}
	grow(3)
}

// TestEveryUnit reads the escape of every code unit, in digits of either case.
func TestEveryUnit(t *testing.T) {
	lenient := strictjson.NewScanner(strictjson.Limits{LoneSurrogates: true})
	for u := range 1 << 16 {
		want := string(utf16.Decode([]uint16{uint16(u)}))
		for _, format := range []string{`"\u%04x"`, `"\u%04X"`} {
			source := fmt.Appendf(nil, format, u)
			doc, err := lenient.Scan(source)
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := doc.Root().Text(); got != want {
				t.Fatalf("%s is %q, expected %q", source, got, want)
			}
		}
	}
}

func checkUnits(t *testing.T, strict, lenient *strictjson.Scanner, row []uint16) {
	t.Helper()
	var text strings.Builder
	for i, u := range row {
		if i%2 == 0 {
			fmt.Fprintf(&text, `\u%04x`, u)
		} else {
			fmt.Fprintf(&text, `\u%04X`, u)
		}
	}
	source := []byte(`"` + text.String() + `"`)
	want := string(utf16.Decode(row))
	doc, err := lenient.Scan(source)
	if err != nil {
		t.Fatalf("%s, leniently: %v", source, err)
	}
	if got, _ := doc.Root().Text(); got != want {
		t.Errorf("%s, leniently: %q, expected %q", source, got, want)
	}
	bad := firstHalf(row)
	doc, err = strict.Scan(source)
	var e *strictjson.Error
	switch {
	case bad < 0 && err != nil:
		t.Errorf("%s: %v", source, err)
	case bad < 0:
		if !doc.Root().TextIs(want) {
			t.Errorf("%s is not %q", source, want)
		}
	case !errors.As(err, &e) || e.Code != strictjson.Surrogate || e.Offset != 1+6*bad || !strings.Contains(e.Message, fmt.Sprintf(`\u%04x`, row[bad])):
		t.Errorf("%s: %+v, expected unit %d", source, err, bad)
	}
}

// firstHalf returns the index of the first unit that is half a pair, or -1.
func firstHalf(row []uint16) int {
	for i := 0; i < len(row); i++ {
		switch {
		case !utf16.IsSurrogate(rune(row[i])):
		case i+1 < len(row) && utf16.DecodeRune(rune(row[i]), rune(row[i+1])) != '\ufffd':
			i++
		default:
			return i
		}
	}
	return -1
}

// TestNumberRange scans numbers around the largest double, with and without an exponent.
func TestNumberRange(t *testing.T) {
	largest := "17976931348623157" + strings.Repeat("0", 292)
	for text, good := range map[string]bool{
		"1e308": true, "1e309": false, "-1e309": false, "1e-400": true, "0e999": true, "1E+308": true, "1E+309": false,
		largest: true, "-" + largest: true, largest + ".5": true, largest + "0": false, "1" + strings.Repeat("0", 308): true,
		"1" + strings.Repeat("0", 309): false, "0." + strings.Repeat("0", 400) + "1": true, "2" + largest[1:]: false,
	} {
		doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(" " + text))
		var e *strictjson.Error
		switch {
		case good && err != nil:
			t.Errorf("%.20s…: %v", text, err)
		case good:
			if _, ok := doc.Root().Float(); !ok {
				t.Errorf("%.20s… is no double", text)
			}
		case !errors.As(err, &e) || e.Code != strictjson.NumberRange || e.Offset != 1:
			t.Errorf("%.20s…: %+v", text, err)
		}
		lenient := strictjson.NewScanner(strictjson.Limits{WideNumbers: true})
		for _, around := range []string{"", "1,"} { // a number before it changes nothing, nor does the text before it
			wide, err := lenient.Scan([]byte("[" + around + text + "]"))
			if err != nil || wide.Wide == good {
				t.Errorf("%.20s… where wide numbers are accepted: %+v, %v", text, wide, err)
			}
		}
		w := strictjson.NewWalker([]byte(text))
		if e := w.End(); e != nil {
			t.Errorf("%.20s…: the walker minds the size: %v", text, e)
		}
	}
}

// TestValuesStayInTheirRoom: the memory for values is never more than the limit on them, and
// a number that values do not exceed is known before they are read.
func TestValuesStayInTheirRoom(t *testing.T) {
	for _, limit := range []int{1, 16, 5_000, 1 << 12, 10_000} {
		s := strictjson.NewScanner(strictjson.Limits{Values: limit})
		for _, size := range []int{0, 1, 15, 16, 17, 4095, 4096, 4097, 9_999, 10_000, 20_000} {
			text := []byte("[" + strings.TrimSuffix(strings.Repeat(`"[,{",`, size), ",") + "]")
			doc, err := s.Scan(text)
			if (err == nil) != (size < limit) {
				t.Errorf("%d values, limit %d: %v", size+1, limit, err)
			}
			if err == nil && (doc.Capacity() > limit || strictjson.MaxValues(text) <= size) {
				t.Errorf("%d values, limit %d: room for %d, at most %d expected", size+1, limit, doc.Capacity(), strictjson.MaxValues(text))
			}
		}
	}
}
