package jcs_test

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// TestIsCanonical holds that the answer is the same as writing the document and comparing,
// for random documents, their canonical forms, and small changes of these.
func TestIsCanonical(t *testing.T) {
	scanner := strictjson.NewScanner(strictjson.Limits{})
	check := func(t *rapid.T, text []byte) {
		doc, err := scanner.Scan(text)
		if err != nil {
			return
		}
		want := bytes.Equal(jcs.NewWriter(nil).Append(nil, doc.Root()), text)
		if got := jcs.IsCanonical(doc, strictjson.Node{}); got != want {
			t.Fatalf("%s: canonical %v, expected %v", text, got, want)
		}
		known := doc.Node(rapid.IntRange(0, len(doc.Values)-1).Draw(t, "known"))
		if !bytes.Equal(jcs.NewWriter(nil).Append(nil, known), known.Raw()) {
			return
		}
		if got := jcs.IsCanonical(doc, known); got != want {
			t.Fatalf("%s: canonical %v with %s known, expected %v", text, got, known.Raw(), want)
		}
	}
	changes := strings.Split(` |\t|0|.0|e0|\u0061|\/|\n|\u000a|\ud83d\ude00|-|1|"|\\"|é|,`, "|")
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(value(2).Draw(t, "text"))
		check(t, text)
		doc, err := scanner.Scan(text)
		if err != nil {
			return // names repeat
		}
		canonical := jcs.NewWriter(nil).Append(nil, doc.Root())
		check(t, canonical)
		at := rapid.IntRange(0, len(canonical)).Draw(t, "at")
		change := rapid.SampledFrom(changes).Draw(t, "change")
		check(t, append(append(bytes.Clone(canonical[:at]), change...), canonical[at:]...))
		check(t, append(append(bytes.Clone(canonical[:at]), change...), canonical[min(at+1, len(canonical)):]...))
	})
}

// TestIsCanonicalCases are documents whose only difference from their canonical form is
// one that is easily passed over.
func TestIsCanonicalCases(t *testing.T) {
	scanner := strictjson.NewScanner(strictjson.Limits{WideNumbers: true})
	for text, want := range map[string]bool{
		`{"a":1,"b":[]}`: true, `{"b":1,"a":[]}`: false, `{"a":1 ,"b":[]}`: false, ` {}`: false, `{}`: true, `[ ]`: false,
		"{\"\U0001F600\":1,\"\uE000\":2}": true, "{\"\uE000\":2,\"\U0001F600\":1}": false,
		`{"abcdefgh":1,"abcdefghi":2}`: true, `{"abcdefghi":1,"abcdefgh":2}`: false,
		`"\u0001"`: true, `"\u001F"`: false, `"\n"`: true, `"\u000a"`: false, `"\/"`: false, `"\\"`: true, `"\u00e9"`: false, `"é"`: true,
		`{"\u0001":1}`: true, `{"\u0061":1}`: false,
		`-0`: false, `0`: true, `1.0`: false, `1e2`: false, `1e+21`: true, `1e21`: false, `9007199254740993`: false, `9007199254740992`: true,
		`1e400`: false, `[1e400]`: false,
	} {
		doc, err := scanner.Scan([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := jcs.IsCanonical(doc, strictjson.Node{}); got != want {
			t.Errorf("%s: canonical %v", text, got)
		}
	}
}
