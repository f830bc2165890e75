package strictjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/selftest"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// TestVectors runs the cases that the binary brings along: what is accepted, and of what
// is refused the code, the byte and the pointer.
func TestVectors(t *testing.T) {
	s := selftest.Strict()
	for _, failure := range s.Failures {
		t.Error(failure)
	}
	t.Logf("%d cases", s.Cases)
}

// texts yields every text of up to most pieces.
func texts(pieces []string, most int, yield func(text []byte)) {
	var text []byte
	var grow func(left int)
	grow = func(left int) {
		yield(text)
		if left == 0 {
			return
		}
		for _, p := range pieces {
			text = append(text, p...)
			grow(left - 1)
			text = text[:len(text)-len(p)]
		}
	}
	grow(most)
}

// TestEveryShortText compares the scanner and the walker with independent readers on all
// texts of few tokens, and of few characters.
func TestEveryShortText(t *testing.T) {
	tokens := []string{"{", "}", "[", "]", `"a"`, `"b"`, ":", ",", "1", "true", " "}
	characters := []string{`"`, `\`, "u", "n", "0", "1", "-", ".", "e", "+", "\t", "\x00", "\x7f", "é", "\xc3"}
	scanner := strictjson.NewScanner(strictjson.Limits{})
	n := 0
	compare := func(text []byte) {
		n++
		_, err := scanner.Scan(text)
		if want := oracle(text); (err == nil) != (want == nil) {
			t.Fatalf("%q: %v, the oracle says %v", text, err, want)
		}
		checkPlace(t, text, err)
		w := strictjson.NewWalker(text)
		bad := w.End()
		if (bad == nil) != (json.Valid(text) && utf8.Valid(text)) {
			t.Fatalf("%q: the walker says %v", text, bad)
		}
		if bad != nil {
			checkPlace(t, text, bad)
			if bad.Want == "" || bad.Stop < bad.Offset && bad.Code != strictjson.Truncated || bad.Stop > len(text) {
				t.Fatalf("%q: %+v does not say where and what", text, bad)
			}
		}
	}
	texts(tokens, 5, compare)
	texts(characters, 4, compare)
	t.Logf("%d texts", n)
}

// checkPlace holds that an error points into the text and says something.
func checkPlace(t *testing.T, text []byte, err error) {
	t.Helper()
	var e *strictjson.Error
	if errors.As(err, &e) && (e.Offset < 0 || e.Offset > len(text) || e.Message == "") {
		t.Fatalf("%q: no place or no message in %+v", text, e)
	}
}

// TestWalker compares the members that the walker finds with those that the scanner
// keeps, whatever of the values the caller asks for.
func TestWalker(t *testing.T) {
	for _, text := range []string{
		`{}`, ` { } `, `{"a":1}`, ` { "a" : 1 , "b" : [ ] } `, `{"a":{"b":{"c":[[[1,2],{}],"x"]}},"\u0061b":null,"c":-1.5e3}`,
		`{"a":"\ud83d\ude00","a2":[true,false],"":{"":{}}}`, `{"a":[{},{},[]],"b":{"c":{},"d":[[]]},"e":0}`,
	} {
		doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for asked := range 1 << doc.Root().Len() {
			w := strictjson.NewWalker([]byte(text))
			i := 0
			for name, ok := w.Member(); ok; name, ok = w.Member() {
				m := doc.Root().At(i)
				if !bytes.Equal(name, m.KeyRaw()) {
					t.Errorf("%s: member %d is called %s", text, i, name)
				}
				if asked>>i&1 == 1 {
					from, to := w.Value()
					if start, end := m.Span(); from != start || to != end {
						t.Errorf("%s: member %d at %d–%d, expected %d–%d", text, i, from, to, start, end)
					}
					if again, end := w.Value(); again != end {
						t.Errorf("%s: a value is read twice", text)
					}
				}
				i++
			}
			if err := w.End(); err != nil || i != doc.Root().Len() {
				t.Errorf("%s: %d members, %v", text, i, err)
			}
		}
	}
}

// TestWalkerStops ends an object at every byte: the members before it are found, and the
// error names the end. Behind the object nothing may follow.
func TestWalkerStops(t *testing.T) {
	const text = `{"a":[1,{"b":"\u00e9"}],"c":"x","d":{}}`
	ends := []int{23, 31, 38} // of the members
	for end := range text {
		w := strictjson.NewWalker([]byte(text[:end]))
		found := 0
		for _, ok := w.Member(); ok; _, ok = w.Member() {
			if start, end := w.Value(); end > start {
				found++
			}
		}
		want := 0
		for _, e := range ends {
			if e <= end {
				want++
			}
		}
		e := w.End()
		if found != want || e == nil || e.Stop != end {
			t.Errorf("%q: %d members, expected %d; %+v", text[:end], found, want, e)
		}
		if _, ok := w.Member(); ok {
			t.Errorf("%q: a member behind the error", text[:end])
		}
	}
	w := strictjson.NewWalker([]byte(text + " x"))
	if e := w.End(); e == nil || e.Code != strictjson.Trailing || e.Offset != len(text)+1 {
		t.Errorf("%+v", e)
	}
}

// TestWalkerDepth walks a text whose nesting would take other readers their stack: the
// kinds of the open containers are kept beyond one word, and closed in their order.
func TestWalkerDepth(t *testing.T) {
	for _, levels := range []int{1, 63, 64, 65, 127, 128, 129, 100_000} {
		var open, closing []byte
		for i := range levels {
			if i%3 == 0 {
				open = append(open, `{"a":`...)
				closing = append(closing, '}')
			} else {
				open = append(open, '[')
				closing = append(closing, ']')
			}
		}
		reverse := bytes.Clone(closing)
		for i, c := range closing {
			reverse[len(reverse)-1-i] = c
		}
		text := append(append(bytes.Clone(open), '0'), reverse...)
		w := strictjson.NewWalker(text)
		if err := w.End(); err != nil {
			t.Errorf("%d levels: %v", levels, err)
		}
		for _, wrong := range []int{len(open) + 1, len(text) - 1} {
			broken := bytes.Clone(text)
			broken[wrong] ^= '}' ^ ']'
			w := strictjson.NewWalker(broken)
			if e := w.End(); e == nil || e.Stop != wrong {
				t.Errorf("%d levels with another bracket at %d: %+v", levels, wrong, e)
			}
		}
	}
}

// TestWants holds what errors name as missing, for callers that make sentences of it.
func TestWants(t *testing.T) {
	for text, want := range map[string]string{
		``: "a value", `x`: "a value", `[`: "a value", `[1,`: "a value", `[1`: "',' or ']'", `[1 2]`: "',' or ']'",
		`{`: "a member name in double quotes", `{1`: "a member name in double quotes", `{"a":1,`: "a member name in double quotes",
		`{"a"`: "':'", `{"a"1`: "':'", `{"a":`: "a value", `{"a":1`: "',' or '}'", `{"a":1]`: "',' or '}'",
		`"a`: "the end of the string", `"\`: "the rest of an escape", `"\x"`: "an escape that JSON knows",
		`"\u12`: "four hexadecimal digits", `"\u12x4"`: "four hexadecimal digits",
		"\"\x01\"": "an escape: a string cannot contain control characters", "\"\xff\"": "UTF-8",
		`01`: "no digit after a leading zero", `-`: "a digit", `1.`: "a digit after the decimal point", `1e`: "a digit of the exponent",
		`1 1`: "the end of the text",
	} {
		_, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(text))
		var scanned *strictjson.Error
		w := strictjson.NewWalker([]byte(text))
		walked := w.End()
		if !errors.As(err, &scanned) || walked == nil {
			t.Errorf("%s is accepted", text)
			continue
		}
		if walked.Want != want || scanned.Code != strictjson.Empty && scanned.Want != want {
			t.Errorf("%s: the scanner wants %q, the walker %q, expected %q", text, scanned.Want, walked.Want, want)
		}
		if scanned.Code != strictjson.Empty && (scanned.Offset != walked.Offset || scanned.Stop != walked.Stop || scanned.Message != walked.Message) {
			t.Errorf("%s: the scanner says %+v, the walker %+v", text, scanned, walked)
		}
	}
}

// TestStops holds where within a number or an escape a text stops being JSON.
func TestStops(t *testing.T) {
	for text, want := range map[string][2]int{
		`[01]`: {1, 2}, `[-01]`: {2, 3}, `"a\x"`: {2, 3}, `"\u12x4"`: {1, 5}, `"\u"`: {4, 3}, `"\u12`: {5, 5}, `"\u1g`: {5, 4}, `"\u000g"`: {1, 6},
	} {
		w := strictjson.NewWalker([]byte(text))
		if e := w.End(); e == nil || e.Offset != want[0] || e.Stop != want[1] {
			t.Errorf("%s: %+v, expected offset %d and stop %d", text, e, want[0], want[1])
		}
	}
}

func TestErrorText(t *testing.T) {
	for text, want := range map[string]string{
		"":              "no JSON value at byte 0",
		"[1,}":          "unexpected '}', expected a value at byte 3 in /1",
		`{"a":{"b":x}}`: "unexpected 'x', expected a value at byte 10 in /a/b",
		"[1] \x01":      "unexpected character U+0001 after the value at byte 4",
		"[1] \xff":      "unexpected byte 0xff after the value at byte 4",
		"[\xff]":        "byte 0xff is not UTF-8 at byte 1 in /0",
		"\xef\xbb\xbf1": "byte order mark before the value at byte 0",
		"{\"a\x01\":1}": `control character U+0001 in a string, expected the escape \u0001 at byte 3`,
	} {
		_, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(text))
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, expected %s", text, err, want)
		}
	}
}
