package strictjson_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// failing is a test, or one run of a property.
type failing interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// practised returns a scanner that learns shapes from its next text on.
func practised(t failing, limits strictjson.Limits) *strictjson.Scanner {
	s := strictjson.NewScanner(limits)
	for range 16 {
		if _, err := s.Scan([]byte(`{}`)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// sameAsFresh scans a text with a scanner that may know the shapes of its objects, and with a
// new one: they must see the same. What is said of shapes must be true.
func sameAsFresh(t failing, s *strictjson.Scanner, limits strictjson.Limits, known map[*strictjson.Shape][]string, text []byte) {
	t.Helper()
	doc, err := s.Scan(text)
	fresh, want := strictjson.NewScanner(limits).Scan(text)
	if fmt.Sprintf("%+v", err) != fmt.Sprintf("%+v", want) {
		t.Fatalf("%q: %+v, a new scanner says %+v", text, err, want)
	}
	if err != nil {
		return
	}
	if got, want := described(doc), described(fresh); got != want {
		t.Fatalf("%q:\n   got %s\nafresh %s", text, got, want)
	}
	for n := range doc.Root().All() {
		if shape := n.Shape(); shape != nil {
			holdsOf(t, shape, n, known)
		}
	}
}

// described returns the values of a document, except their shapes.
func described(doc *strictjson.Document) string {
	var b strings.Builder
	for _, v := range doc.Values {
		fmt.Fprintln(&b, v.Start, v.End, v.KeyStart, v.KeyEnd, v.Next, v.Count, v.Kind, v.Marks)
	}
	return b.String()
}

// holdsOf checks what a shape says of an object; known are the names of shapes seen before.
func holdsOf(t failing, shape *strictjson.Shape, object strictjson.Node, known map[*strictjson.Shape][]string) {
	t.Helper()
	var names, sorted []string
	for m := range object.Children() {
		names = append(names, m.Key())
	}
	if before, ok := known[shape]; ok && !slices.Equal(before, names) {
		t.Fatalf("%q have the shape of %q", names, before)
	}
	known[shape] = names
	for _, place := range shape.Places() {
		sorted = append(sorted, names[place])
	}
	if want := slices.Sorted(slices.Values(names)); !slices.Equal(sorted, want) || len(slices.Compact(want)) != len(names) {
		t.Fatalf("%q in order are %q, not %q", names, sorted, want)
	}
}

// TestShapes scans objects of few names, over and over: in changing orders, twice, escaped, one
// name beginning with another, beyond ASCII, with white space and cut off.
func TestShapes(t *testing.T) {
	names := []string{`"a"`, `"b"`, `"ab"`, `""`, `"abcdefgh"`, `"abcdefghi"`, `"abcdefghj"`, `"\u0061"`, `"é"`, `"abcdefgh"`, `"a b c d e f g h i j k l m n o p"`}
	seen := 0
	for _, limits := range []strictjson.Limits{{}, {DuplicateKeys: true}, {Keys: 3}, {StringChars: 9}} {
		s, known := practised(t, limits), map[*strictjson.Shape][]string{}
		rapid.Check(t, func(t *rapid.T) {
			space := rapid.SampledFrom([]string{"", "", " ", "\n"})
			object := func(value string) string {
				var members []string
				for _, name := range rapid.SliceOfN(rapid.SampledFrom(names), 0, 5).Draw(t, "names") {
					members = append(members, name+space.Draw(t, "before")+":"+space.Draw(t, "after")+value)
				}
				return "{" + strings.Join(members, ",") + "}"
			}
			text := object("[" + object("1") + "," + object("{}") + "]")
			sameAsFresh(t, s, limits, known, []byte(text))
			sameAsFresh(t, s, limits, known, []byte(text[:rapid.IntRange(0, len(text)).Draw(t, "end")]))
		})
		seen += len(known)
	}
	if seen < 10 {
		t.Errorf("%d shapes were seen", seen)
	}
}

// TestManyShapes scans more objects than there is room for, larger ones and longer names: those
// that are unknown are read like those that are known.
func TestManyShapes(t *testing.T) {
	s, known := practised(t, strictjson.Limits{}), map[*strictjson.Shape][]string{}
	for i := range 3000 {
		sameAsFresh(t, s, strictjson.Limits{}, known, fmt.Appendf(nil, `{"kind":{"n%d":1},"x%d":1,"y%d":1,"z%d":{"a":1}}`, i, i%20, i/20%20, i/400))
	}
	wide := []string{`"z":0`}
	for i := range 100 {
		wide = append(wide, fmt.Sprintf(`"%s%d":0`, strings.Repeat("k", i), i))
		text := []byte("{" + strings.Join(wide, ",") + "}")
		sameAsFresh(t, s, strictjson.Limits{}, known, text)
		sameAsFresh(t, s, strictjson.Limits{}, known, append(text[:len(text)-1], `,"z":1}`...))
	}
	if len(known) < 500 || len(known) > 1024 {
		t.Errorf("%d shapes", len(known))
	}
}

// FuzzShapes scans the lines of any text twice, with one scanner.
func FuzzShapes(f *testing.F) {
	f.Add([]byte("{\"a\":1,\"b\":{\"c\":2}}\n{\"a\":1,\"a\":2}\n{\"a\":1,\"\\u0061\":2}\n{\"b\": 1, \"a\": 2}"))
	f.Add([]byte("{\"abcdefghi\":1,\"abcdefgh\":2}\n{\"abcdefghj\":1,\"é\":2}\n{\"\":{},\"abcdefghi\":[]}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, known := practised(t, strictjson.Limits{}), map[*strictjson.Shape][]string{}
		for range 2 {
			for line := range bytes.Lines(text) {
				sameAsFresh(t, s, strictjson.Limits{}, known, line)
			}
		}
	})
}
