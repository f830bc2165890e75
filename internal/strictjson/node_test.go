package strictjson_test

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// TestNodesAgainstLibrary reads random documents through nodes and compares with what the
// standard library decodes.
func TestNodesAgainstLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(document(3).Draw(t, "text"))
		doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text)
		if err != nil {
			return // names repeat
		}
		var want any
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		if got := decoded(doc.Root()); !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: %#v, expected %#v", text, got, want)
		}
		checkTree(t, doc.Root())
	})
}

// decoded returns a value as encoding/json would decode it.
func decoded(n strictjson.Node) any {
	switch n.Kind() {
	case strictjson.True, strictjson.False:
		b, _ := n.Bool()
		return b
	case strictjson.Number:
		f, _ := n.Float()
		return f
	case strictjson.String:
		s, _ := n.Text()
		return s
	case strictjson.Array:
		list := []any{}
		for i := range n.Len() {
			list = append(list, decoded(n.At(i)))
		}
		return list
	case strictjson.Object:
		object := map[string]any{}
		for m := range n.Children() {
			object[m.Key()] = decoded(n.Get(m.Key()))
		}
		return object
	}
	return nil
}

// checkTree holds the laws of a node and of all below it: what it says of itself in one
// way it says in every other.
func checkTree(t *rapid.T, n strictjson.Node) {
	size := 1
	i := 0
	for child := range n.Children() {
		size += child.Size()
		if n.At(i) != child {
			t.Fatalf("child %d of %s is another", i, n.Raw())
		}
		if n.Is(strictjson.Object) {
			checkName(t, child)
		}
		checkTree(t, child)
		i++
	}
	if i != n.Len() || size != n.Size() || n.At(i).Exists() {
		t.Fatalf("%s has %d children and %d values, it says %d and %d", n.Raw(), i, size, n.Len(), n.Size())
	}
	next := n.Index()
	for v := range n.All() {
		if v.Index() != next {
			t.Fatalf("value %d of %s comes as %d", next, n.Raw(), v.Index())
		}
		next++
	}
	if next != n.Index()+n.Size() || n.Missing() != n.Is(strictjson.Null) {
		t.Fatalf("%s: %d values", n.Raw(), next-n.Index())
	}
	checkScalar(t, n)
}

func checkName(t *rapid.T, m strictjson.Node) {
	start, end := m.KeySpan()
	raw := string(m.KeyRaw())
	if raw != string(m.Document().Source[start:end]) || m.KeyEscaped() != strings.Contains(raw, `\`) {
		t.Fatalf("the name %s stands at %d–%d, escaped %v", raw, start, end, m.KeyEscaped())
	}
	if string(m.KeyBytes([]byte("rest"))) != m.Key() || !m.KeyIs(m.Key()) || m.KeyIs(m.Key()+"x") {
		t.Fatalf("the name %s is %q and %q", raw, m.KeyBytes(nil), m.Key())
	}
}

func checkScalar(t *rapid.T, n strictjson.Node) {
	raw := string(n.Raw())
	text, isText := n.Text()
	whole, isInt := n.Int()
	want, err := strconv.ParseInt(raw, 10, 64)
	switch {
	case isText != n.Is(strictjson.String) || n.TextIs(text) != isText || n.TextIs(text+"x") || string(n.TextBytes([]byte("rest"))) != text:
		t.Fatalf("%s: %q, %v", raw, text, isText)
	case n.Escaped() != (isText && strings.Contains(raw, `\`)):
		t.Fatalf("%s: escaped is %v", raw, n.Escaped())
	case n.Integer() != (n.Is(strictjson.Number) && !strings.ContainsAny(raw, ".eE")):
		t.Fatalf("%s: integer is %v", raw, n.Integer())
	case isInt != (n.Integer() && err == nil) || isInt && whole != want:
		t.Fatalf("%s: %d, %v", raw, whole, isInt)
	}
}

// document draws a JSON text with spaces, escapes and numbers of all kinds.
func document(depth int) *rapid.Generator[string] {
	str := rapid.Custom(func(t *rapid.T) string {
		pieces := rapid.SampledFrom([]string{"a", "b", `\u0061`, `\n`, "é", "😀", `\ud83d\ude00`, "longer than eight bytes"})
		return `"` + strings.Join(rapid.SliceOfN(pieces, 0, 3).Draw(t, "pieces"), "") + `"`
	})
	scalar := rapid.OneOf(str, rapid.SampledFrom([]string{
		"null", "true", "false", "0", "-0", "1", "-12", "1.5", "1e2", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
	}))
	if depth == 0 {
		return scalar
	}
	inner := document(depth - 1)
	spaces := rapid.SampledFrom([]string{"", " ", "\n\t", "\r"})
	return rapid.OneOf(scalar,
		rapid.Custom(func(t *rapid.T) string {
			s := spaces.Draw(t, "space")
			return s + "[" + s + strings.Join(rapid.SliceOfN(inner, 0, 4).Draw(t, "elements"), s+","+s) + s + "]" + s
		}),
		rapid.Custom(func(t *rapid.T) string {
			s := spaces.Draw(t, "space")
			var members []string
			for range rapid.IntRange(0, 4).Draw(t, "members") {
				members = append(members, str.Draw(t, "name")+s+":"+s+inner.Draw(t, "value"))
			}
			return s + "{" + s + strings.Join(members, s+","+s) + s + "}" + s
		}))
}

// TestAbsent asks the node of a member that is not there everything: it answers as a value
// of the wrong type does.
func TestAbsent(t *testing.T) {
	var n strictjson.Node
	start, end := n.Span()
	keyStart, keyEnd := n.KeySpan()
	if n.Exists() || n.Document() != nil || n.Kind() != strictjson.Absent || !n.Missing() || start+end+keyStart+keyEnd+n.Size()+n.Len() != 0 ||
		n.Raw() != nil || n.KeyRaw() != nil || n.KeyBytes(nil) != nil || n.TextBytes(nil) != nil || n.Key() != "" || n.KeyIs("") || n.TextIs("") ||
		n.Escaped() || n.KeyEscaped() || n.Integer() || n.Get("").Exists() || n.Last("").Exists() || n.At(0).Exists() {
		t.Error("the absent value says something")
	}
	for range n.Children() {
		t.Error("it has a child")
	}
	for range n.All() {
		t.Error("it holds a value")
	}
	_, isText := n.Text()
	_, isInt := n.Int()
	_, isFloat := n.Float()
	if _, isBool := n.Bool(); isText || isInt || isFloat || isBool {
		t.Error("it has a value")
	}
}

// TestChildrenStop leaves the walks over children and over all values early.
func TestChildrenStop(t *testing.T) {
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(`[1,[2,3],4]`))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for range doc.Root().Children() {
		if seen++; seen == 2 {
			break
		}
	}
	for range doc.Root().All() {
		if seen++; seen == 5 {
			break
		}
	}
	if seen != 5 {
		t.Error(seen)
	}
}

// TestCopy keeps documents while the scanner goes on.
func TestCopy(t *testing.T) {
	s := strictjson.NewScanner(strictjson.Limits{})
	var slab []strictjson.Value
	var kept []strictjson.Document
	list := []string{`[1,2]`, `{"a":[]}`, `"x"`}
	for _, text := range list {
		doc, err := s.Scan([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if doc.Capacity() < doc.Root().Size() {
			t.Errorf("%s: room for %d values", text, doc.Capacity())
		}
		var d strictjson.Document
		d, slab = doc.Copy(slab)
		kept = append(kept, d)
	}
	for i, d := range kept {
		if root := d.Root(); string(root.Raw()) != list[i] || d.Node(root.Size()-1).Raw() == nil {
			t.Errorf("%s is kept as %s", list[i], root.Raw())
		}
	}
}
