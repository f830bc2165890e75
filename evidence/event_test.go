package evidence_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
)

// read returns the view of an event; it lives as long as its own hasher.
func read(t *testing.T, text string) *evidence.Event {
	t.Helper()
	got, err := evidence.NewHasher(evidence.Options{}).Hash([]byte(text))
	if err != nil || got.Event == nil {
		t.Fatalf("%s is no event: %v %v", text, got.Findings, err)
	}
	return got.Event
}

// TestAttributes reads each attribute from an event that has nothing else, and from one
// that spells the name with an escape. The names themselves are held by the example
// files of four producers.
func TestAttributes(t *testing.T) {
	seen := map[string]bool{}
	for a := evidence.AttrData; a <= evidence.AttrDigestProfile; a++ {
		name := a.String()
		if seen[name] || evidence.AttributeOf(name) != a {
			t.Errorf("attribute %d is called %q, which stands for %v", a, name, evidence.AttributeOf(name))
		}
		seen[name] = true
		escaped := fmt.Sprintf(`\u%04x%s`, name[0], name[1:])
		for _, spelled := range []string{name, escaped} {
			e := read(t, `{"x":0,"`+spelled+`":[1]}`)
			for b := evidence.AttrOther; b <= evidence.AttrDigestProfile; b++ {
				if got := e.Get(b); got.Exists() != (a == b) || string(got.Raw()) != strings.Repeat("[1]", len(got.Raw())/3) {
					t.Errorf("%q: %v is %q", spelled, b, got.Raw())
				}
			}
		}
		if got := evidence.AttributeOf(strings.ToUpper(name)); got != evidence.AttrOther {
			t.Errorf("the upper case of %q stands for %v", name, got)
		}
	}
	covered := []string{}
	for a := range evidence.AttrDigestProfile + 2 {
		if a.Covered() {
			covered = append(covered, a.String())
		}
	}
	if want := []string{"data", "datacontenttype", "specversion", "subject", "type"}; !slices.Equal(covered, want) {
		t.Errorf("covered: %q", covered)
	}
	if name := (evidence.AttrDigestProfile + 1).String() + evidence.Attribute(255).String() + evidence.AttrOther.String(); strings.Contains(name, "assay") && !strings.HasSuffix(name, "other") {
		t.Errorf("values beyond the attributes are called %q", name)
	}
}

// TestValue compares every accessor with what encoding/json reads.
func TestValue(t *testing.T) {
	text := `{"data":{"n":null,"f":false,"t":true,"i":-7,"wide":9223372036854775807,"d":1.5,"e":1e2,"s":"a\u00e9/","o":{"a/b":{"~":[]}},"l":[1,["x"],{}]},"subject":null}`
	e := read(t, text)
	count := 0
	for v := range e.Root().All() {
		count++
		start, end := v.Span()
		if raw := text[start:end]; raw != string(v.Raw()) {
			t.Fatalf("%s stands on %q", v.Raw(), raw)
		}
		if nameStart, nameEnd := v.NameSpan(); v.Name() != "" && text[nameStart:nameEnd] != `"`+v.Name()+`"` {
			t.Errorf("the name %q stands on %q", v.Name(), text[nameStart:nameEnd])
		}
		var want any
		if err := json.Unmarshal(v.Raw(), &want); err != nil {
			t.Fatal(err)
		}
		compareValue(t, v, want)
	}
	if count != 19 {
		t.Errorf("%d values", count)
	}
	pointers := []string{}
	for v := range e.Get(evidence.AttrData).Get("o").All() {
		pointers = append(pointers, v.Pointer())
	}
	if want := []string{"/data/o", "/data/o/a~1b", "/data/o/a~1b/~0"}; !slices.Equal(pointers, want) {
		t.Errorf("pointers %q", pointers)
	}
}

func compareValue(t *testing.T, v evidence.Value, want any) {
	t.Helper()
	text, isText := v.Text()
	number, isInt := v.Int()
	truth, isBool := v.Bool()
	kind, length := evidence.KindNull, 0
	switch w := want.(type) {
	case bool:
		kind = evidence.KindBool
		isBool = !isBool || truth != w
	case float64:
		kind = evidence.KindNumber
		if whole := !bytes.ContainsAny(v.Raw(), ".e"); whole != isInt || whole && fmt.Sprint(number) != string(v.Raw()) {
			t.Errorf("%s is the integer %d, %v", v.Raw(), number, isInt)
		}
		isInt = false
	case string:
		kind = evidence.KindString
		isText = !isText || text != w || string(v.TextBytes(nil)) != w
	case []any:
		kind, length = evidence.KindArray, len(w)
	case map[string]any:
		kind, length = evidence.KindObject, len(w)
	}
	if v.Kind() != kind || v.Len() != length || isText || isInt || isBool || !v.Exists() || v.Missing() != (want == nil) {
		t.Errorf("%s is a %v of %d; text %q %v, integer %v, boolean %v", v.Raw(), v.Kind(), v.Len(), text, isText, isInt, isBool)
	}
	children := 0
	for child := range v.Children() {
		children++
		if kind == evidence.KindObject && !bytes.Equal(v.Get(child.Name()).Raw(), child.Raw()) {
			t.Errorf("%s: member %q is not found by its name", v.Raw(), child.Name())
		}
	}
	if children != length {
		t.Errorf("%s has %d children", v.Raw(), children)
	}
}

// TestAbsentValue holds that what is not there can be asked everything.
func TestAbsentValue(t *testing.T) {
	e := read(t, `{"data":{"a":1},"traceparent":null}`)
	for name, v := range map[string]evidence.Value{
		"the zero Value": {}, "an attribute": e.Get(evidence.AttrTime), "a member": e.Root().Get("nothing"),
		"a member of a number": e.Get(evidence.AttrData).Get("a").Get("b"), "all extensions at once": e.Get(evidence.AttrOther),
	} {
		_, isText := v.Text()
		_, isInt := v.Int()
		_, isBool := v.Bool()
		start, end := v.Span()
		if v.Kind() != evidence.KindAbsent || v.Exists() || !v.Missing() || isText || isInt || isBool || v.Raw() != nil || v.TextBytes(nil) != nil ||
			start != end || v.Name() != "" || v.Len() != 0 || len(v.AppendCanonical(nil)) != 0 || len(slices.Collect(v.All())) != 0 || len(slices.Collect(v.Children())) != 0 {
			t.Errorf("%s answers as a value", name)
		}
	}
	if null := e.Get(evidence.AttrTraceParent); !null.Exists() || !null.Missing() || null.Kind() != evidence.KindNull || null.Kind().String() != "null" {
		t.Error("null is not told from absent")
	}
}

// TestEventOfRefused holds that only an object in strict JSON is an event, whether it
// can be hashed or not.
func TestEventOfRefused(t *testing.T) {
	for text, want := range map[string]bool{`{`: false, `[]`: false, `1`: false, `{"a":1,"a":2}`: false, `{}`: true, `{"specversion":2}`: true} {
		if got, err := evidence.NewHasher(evidence.Options{}).Hash([]byte(text)); err != nil || (got.Event != nil) != want || got.Hashed {
			t.Errorf("%s: event %v, %v", text, got.Event != nil, err)
		}
	}
}

// TestLocate places findings as the hasher does.
func TestLocate(t *testing.T) {
	e := read(t, "{\"subject\":\n\t\"é\",  \"data\": {\"x\": [1]}}")
	for _, c := range []struct {
		at   evidence.Value
		want string
	}{
		{e.Get(evidence.AttrSubject), "2:2-5"},
		{e.Get(evidence.AttrData).Get("x"), "2:22-23"},
		{e.Get(evidence.AttrTime), "1:1-2"},
		{e.Root(), "1:1-2"},
	} {
		var f evidence.Finding
		if e.Locate(&f, c.at); fmt.Sprintf("%d:%d-%d", f.Line, f.Column, f.EndColumn) != c.want || f.Source.Text == "" {
			t.Errorf("%s is at %d:%d-%d, want %s", c.at.Raw(), f.Line, f.Column, f.EndColumn, c.want)
		}
	}
}

// TestStreamEvents compares the views of a stream, kept by any number of workers, with
// those of single events; they are not there unless asked for.
func TestStreamEvents(t *testing.T) {
	run, err := os.ReadFile("../testdata/examples/evidence/other-producers.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	stream := append(bytes.Repeat(run, 60), "[]\nbroken\n"...)
	for _, text := range [][]byte{stream, bytes.TrimRight(run[:bytes.IndexByte(run, '\n')], "\n")} {
		for _, opt := range []evidence.Options{{Jobs: 1, Events: true}, {Jobs: 3, Events: true}, {Jobs: 3}} {
			compareEvents(t, text, opt)
		}
	}
}

func compareEvents(t *testing.T, text []byte, opt evidence.Options) {
	t.Helper()
	h := evidence.NewHasher(evidence.Options{})
	kept := 0
	total, err := evidence.HashStream(t.Context(), bytes.NewReader(text), opt, func(r *evidence.Result) error {
		alone, err := h.Hash(r.Text())
		if err != nil {
			return err
		}
		if want := opt.Events && alone.Event != nil; (r.Event != nil) != want {
			t.Fatalf("line %d: event %v, want %v", r.Line, r.Event != nil, want)
		}
		if r.Event == nil {
			return nil
		}
		kept++
		for a := evidence.AttrData; a <= evidence.AttrDigestProfile; a++ {
			if got, want := r.Event.Get(a), alone.Event.Get(a); got.Kind() != want.Kind() || !bytes.Equal(got.AppendCanonical(nil), want.AppendCanonical(nil)) {
				t.Fatalf("line %d: %v is %s, want %s", r.Line, a, got.Raw(), want.Raw())
			}
		}
		var f evidence.Finding
		if r.Event.Locate(&f, r.Event.Root()); f.Line != r.Line {
			t.Errorf("the event of line %d is located on line %d", r.Line, f.Line)
		}
		return nil
	})
	if err != nil || total.Events == 0 || opt.Events != (kept > 0) {
		t.Errorf("%+v: %d of %d events are kept, %v", opt, kept, total.Events, err)
	}
}
