package strictjson_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	jsonoracle "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

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

// TestLoneSurrogates reads halves of surrogate pairs where a format lets them pass.
func TestLoneSurrogates(t *testing.T) {
	lenient := strictjson.NewScanner(strictjson.Limits{LoneSurrogates: true})
	for source, want := range map[string]string{
		`"\ud83d"`:             "\ufffd",
		`"a\ud83db"`:           "a\ufffdb",
		`"\ude00"`:             "\ufffd",
		`"\ude00\ud83d"`:       "\ufffd\ufffd",
		`"\ud83d\ud83d\ude00"`: "\ufffd😀",
		`"\ud83d\u0041"`:       "\ufffdA",
		`"\ud83d\ude00"`:       "😀",
	} {
		doc, err := lenient.Scan([]byte(source))
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if got, _ := doc.Root().Text(); got != want {
			t.Errorf("%s is %q, want %q", source, got, want)
		}
	}
	if _, err := lenient.Scan([]byte(`"\ud83"`)); err == nil {
		t.Error("half an escape was accepted")
	}
	if _, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(`"\ud83d"`)); err == nil {
		t.Error("half a pair was accepted without the option")
	}
}
