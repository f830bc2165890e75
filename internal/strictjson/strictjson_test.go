package strictjson_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	jsonoracle "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

type testCase struct {
	Text, Hex string // the JSON text, or its bytes when they are not UTF-8
	Code      strictjson.Code
	Offset    int
	Pointer   string
	Limit     int
	Limits    struct{ Depth, Keys, String, Text int }
}

func (c testCase) input(t *testing.T) []byte {
	if c.Hex == "" {
		return []byte(c.Text)
	}
	b, err := hex.DecodeString(c.Hex)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestCases runs testdata/cases.jsonl: texts, and for those that are refused the
// code, the byte offset and the pointer of the offence.
func TestCases(t *testing.T) {
	f, err := os.Open("testdata/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cases := 0
	for lines := bufio.NewScanner(f); lines.Scan(); cases++ {
		var c testCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		text := c.input(t)
		_, err := strictjson.NewScanner(strictjson.Limits{
			Depth: c.Limits.Depth, Keys: c.Limits.Keys, StringChars: c.Limits.String, TextBytes: c.Limits.Text,
		}).Scan(text)
		if c.Code == "" {
			if err != nil {
				t.Errorf("%q is refused: %v", text, err)
			}
			continue
		}
		var e *strictjson.Error
		if !errors.As(err, &e) {
			t.Errorf("%q is accepted, want %s", text, c.Code)
			continue
		}
		if e.Code != c.Code || e.Offset != c.Offset || e.Pointer != c.Pointer || e.Limit != c.Limit || e.IsLimit() != (c.Limit > 0) {
			t.Errorf("%q: %s at %d in %q, limit %d (%v)\nwant %s at %d in %q, limit %d",
				text, e.Code, e.Offset, e.Pointer, e.Limit, e, c.Code, c.Offset, c.Pointer, c.Limit)
		}
	}
	if cases == 0 {
		t.Fatal("no cases")
	}
	t.Logf("%d texts", cases)
}

// TestTruncation cuts a text at every byte: no prefix of an object is a value.
func TestTruncation(t *testing.T) {
	text := []byte(`{"a":[1,-2.5e3,"é\n\ud83d\ude00",true,null,{}],"b":{"c":false}}`)
	s := strictjson.NewScanner(strictjson.Limits{})
	for end := range text {
		if _, err := s.Scan(text[:end]); err == nil {
			t.Errorf("%q is accepted", text[:end])
		}
	}
	if _, err := s.Scan(text); err != nil {
		t.Error(err)
	}
}

// TestDeepNesting scans far more levels than any stack would bear.
func TestDeepNesting(t *testing.T) {
	const levels = 1_000_000
	text := []byte(strings.Repeat("[", levels) + strings.Repeat("]", levels))
	if _, err := strictjson.NewScanner(strictjson.Limits{Depth: levels}).Scan(text); err != nil {
		t.Error(err)
	}
	_, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text)
	var e *strictjson.Error
	if !errors.As(err, &e) || e.Code != strictjson.Depth || e.Offset != strictjson.DefaultDepth {
		t.Errorf("with the default limit: %v", err)
	}
}

func TestNodes(t *testing.T) {
	text := []byte(`{"s":"a\u0062","n":-12,"f":1.5,"big":9223372036854775808,"t":true,"z":null,"list":[1,"x",{"k":[]}],"last":"end"}`)
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text)
	if err != nil {
		t.Fatal(err)
	}
	root := doc.Root()
	var out strings.Builder
	for m := range root.Children() {
		start, end := m.Span()
		keyStart, keyEnd := m.KeySpan()
		fmt.Fprintf(&out, "%s %s %s %s\n", m.Key(), m.Kind(), text[keyStart:keyEnd], text[start:end])
	}
	const want = `s string "s" "a\u0062"
n number "n" -12
f number "f" 1.5
big number "big" 9223372036854775808
t boolean "t" true
z null "z" null
list array "list" [1,"x",{"k":[]}]
last string "last" "end"
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
	if s, ok := root.Get("s").Text(); s != "ab" || !ok || !root.Get("s").TextIs("ab") || string(root.Get("s").TextBytes(nil)) != "ab" {
		t.Errorf("s is %q, %v", s, ok)
	}
	if n, ok := root.Get("n").Int(); n != -12 || !ok {
		t.Errorf("n is %d, %v", n, ok)
	}
	for _, name := range []string{"f", "big", "s", "absent"} {
		if n, ok := root.Get(name).Int(); ok {
			t.Errorf("%s is the integer %d", name, n)
		}
	}
	if f, ok := root.Get("f").Float(); f != 1.5 || !ok {
		t.Errorf("f is %v, %v", f, ok)
	}
	if b, ok := root.Get("t").Bool(); !b || !ok {
		t.Errorf("t is %v, %v", b, ok)
	}
	if !root.Get("z").Missing() || !root.Get("absent").Missing() || root.Get("s").Missing() || root.Get("absent").Exists() {
		t.Error("null and absent are missing, values are not")
	}
	list := root.Get("list")
	if list.Len() != 3 || !list.At(1).TextIs("x") || list.At(2).Get("k").Kind() != strictjson.Array || list.At(3).Exists() || list.Get("x").Exists() {
		t.Error("the list is not what it is")
	}
}

// FuzzAgainstOracle compares what is accepted with an independent strict reader.
func FuzzAgainstOracle(f *testing.F) {
	for _, seed := range []string{`{"a":1,"b":[true,null,"\ud83d\ude00"]}`, `{"a":1,"a":2}`, "\"\xff\"", `[1e5,-0.5]`, `"\ud800"`} {
		f.Add([]byte(seed))
	}
	scanner := strictjson.NewScanner(strictjson.Limits{Depth: 9000})
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := scanner.Scan(text)
		want := oracle(text)
		var e *strictjson.Error
		if errors.As(err, &e) && e.Code == strictjson.NumberRange {
			return // the oracle leaves the range of numbers to its callers
		}
		if (err == nil) != (want == nil) {
			t.Fatalf("%q: %v, the oracle says %v", text, err, want)
		}
		if err != nil && (e.Offset < 0 || e.Offset > len(text) || e.Message == "") {
			t.Fatalf("%q: no place or no message in %+v", text, e)
		}
	})
}

func oracle(text []byte) error {
	decoder := jsontext.NewDecoder(bytes.NewReader(text))
	if _, err := decoder.ReadValue(); err != nil {
		return err
	}
	if _, err := decoder.ReadToken(); err != io.EOF {
		return errors.Join(err, errors.New("trailing data"))
	}
	var v jsontext.Value
	return jsonoracle.Unmarshal(text, &v)
}
