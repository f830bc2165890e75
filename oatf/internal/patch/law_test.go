package patch

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

// TestLaw draws texts and changes of them. What is written means what the changes say, has
// every comment of the text, and every line that no change is near.
func TestLaw(t *testing.T) {
	changed := 0
	rapid.Check(t, func(t *rapid.T) {
		w := &writer{T: t, eol: rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line end")}
		text := w.document()
		source, err := yamltext.ReadAudited([]byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		tree := New(source)
		before := yamltext.Comments(source.Lines, source.Root)
		said := make([]string, len(before))
		for i, c := range before {
			said[i] = source.Lines.Text[c.Start:c.End]
		}
		for range rapid.IntRange(0, 4).Draw(t, "changes") {
			w.change(tree)
		}
		meaning := yamltext.ValueWith(tree.Root, tree.Content)
		if after := yamltext.Value(tree.After(tree.Root)); !reflect.DeepEqual(after, meaning) {
			t.Fatalf("after the changes %v, expected %v", after, meaning)
		}
		written := join(source.Lines.Text, tree.render())
		edits, err := tree.Edits()
		if err != nil {
			t.Fatalf("%v\n%s\nbecame\n%s\nexpected %v", err, text, written, meaning)
		}
		got, err := finding.Apply([]byte(text), edits)
		if err != nil {
			t.Fatal(err)
		}
		after, err := yamltext.ReadAudited(got)
		if err != nil {
			t.Fatalf("%v\n%s\nbecame\n%s", err, text, got)
		}
		if v := yamltext.Value(after.Root); !reflect.DeepEqual(v, meaning) {
			t.Fatalf("%s\nbecame\n%s\nexpected %v", text, got, meaning)
		}
		kept := []string{}
		for _, c := range yamltext.Comments(after.Lines, after.Root) {
			kept = append(kept, after.Lines.Text[c.Start:c.End])
		}
		slices.Sort(said)
		slices.Sort(kept)
		if !slices.Equal(said, kept) {
			t.Fatalf("%s\nbecame\n%s\ncomments %q, expected %q", text, got, kept, said)
		}
		if len(edits) > 0 {
			changed++
		}
	})
	t.Logf("%d texts changed", changed)
}

// writer draws a text.
type writer struct {
	*rapid.T
	b     strings.Builder
	eol   string
	count int
}

func (w *writer) pick(label string, from ...string) string {
	return rapid.SampledFrom(from).Draw(w.T, label)
}
func (w *writer) n(label string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(w.T, label) }

func (w *writer) next() int { w.count++; return w.count }

func (w *writer) document() string {
	if w.n("bom", 0, 9) == 9 {
		w.b.WriteString("\ufeff")
	}
	w.between(0)
	if w.n("marker", 0, 5) == 5 {
		w.b.WriteString("---" + w.eol)
	}
	w.mapping(0, 3, false)
	w.between(0)
	s := w.b.String()
	if w.n("end", 0, 5) == 5 {
		s = strings.TrimSuffix(s, w.eol)
	}
	return s
}

func (w *writer) between(column int) {
	for w.n("between", 0, 4) == 4 {
		if w.n("blank", 0, 1) == 1 {
			w.b.WriteString(w.eol)
			continue
		}
		w.b.WriteString(strings.Repeat(" ", max(0, column+w.n("off", -2, 2))) + fmt.Sprintf("# c%d", w.next()) + w.eol)
	}
}

func (w *writer) tail() {
	if w.n("tail", 0, 3) == 3 {
		fmt.Fprintf(&w.b, "  # t%d", w.next())
	}
	w.b.WriteString(w.eol)
}

func (w *writer) mapping(column, depth int, inline bool) {
	for i := range w.n("pairs", 1, 4) {
		if i > 0 || !inline {
			if !inline || i > 0 {
				w.guard(column)
			}
			w.b.WriteString(strings.Repeat(" ", column))
		}
		key := fmt.Sprintf("k%d", w.next())
		w.b.WriteString(w.pick("quotes", key, key, key, `"`+key+`"`, `'`+key+`'`) + w.pick("colon", ":", ":", " :"))
		w.value(column, depth)
	}
}

// guard is between, but not where a comment would be part of a text.
func (w *writer) guard(column int) {
	if !strings.HasSuffix(w.b.String(), "text"+w.eol) {
		w.between(column)
	}
}

func (w *writer) value(column, depth int) {
	switch kind := w.n("value", 0, 9); {
	case kind <= 1 && depth > 0:
		w.tail()
		c := column + w.n("in", 1, 4)
		w.mapping(c, depth-1, false)
	case kind <= 3 && depth > 0:
		w.tail()
		c := column + w.n("in", 0, 3)
		w.sequence(c, depth-1, false)
	case kind == 4:
		step := w.n("step", 1, 3)
		w.b.WriteString(" " + w.pick("literal", "|", "|-", "|+", ">", ">-"))
		w.tail()
		for i := range w.n("lines", 1, 3) {
			w.b.WriteString(strings.Repeat(" ", column+step+min(i, w.n("more", 0, 1))) + "text" + w.eol)
			if w.n("empty", 0, 3) == 3 {
				w.b.WriteString(w.pick("spaces", "", " ") + w.eol)
			}
		}
	case kind == 5:
		w.b.WriteString(" ")
		w.flow(column, 2)
		w.tail()
	case kind == 6:
		w.b.WriteString(` "a` + w.eol + strings.Repeat(" ", column+w.n("in", 1, 3)) + `# b"`)
		w.tail()
	case kind == 7:
		w.b.WriteString(" a" + w.eol + strings.Repeat(" ", column+w.n("in", 1, 3)) + "b")
		w.tail()
	case kind == 8:
		w.tail()
	default:
		w.b.WriteString(" " + w.pick("scalar", "v", "1", "'a b'", `"a#b"`, "null", "x[y]", "a,b"))
		w.tail()
	}
}

func (w *writer) sequence(column, depth int, inline bool) {
	for i := range w.n("items", 1, 3) {
		if i > 0 || !inline {
			w.guard(column)
			w.b.WriteString(strings.Repeat(" ", column))
		}
		w.b.WriteString("-")
		if depth > 0 && w.n("item", 0, 2) == 2 {
			pad := w.n("pad", 1, 3)
			w.b.WriteString(strings.Repeat(" ", pad))
			w.mapping(column+1+pad, depth-1, true)
			continue
		}
		w.value(column, depth)
	}
}

func (w *writer) flow(column, depth int) {
	list := w.n("list", 0, 1) == 1
	w.b.WriteString(map[bool]string{true: "[", false: "{"}[list])
	count := w.n("members", 0, 3)
	for i := range count {
		w.gap(column)
		if !list {
			w.b.WriteString(w.pick("key", fmt.Sprintf("f%d: ", w.next()), fmt.Sprintf(`"f%d":`, w.next())))
		}
		if depth > 0 && w.n("nested", 0, 2) == 2 {
			w.flow(column, depth-1)
		} else {
			w.b.WriteString(w.pick("scalar", "v", "1", "'a, b'", `"]"`, "w: x"[:1]))
		}
		w.gap(column)
		if i < count-1 || w.n("comma", 0, 3) == 3 {
			w.b.WriteString(",")
		}
	}
	w.gap(column)
	w.b.WriteString(map[bool]string{true: "]", false: "}"}[list])
}

func (w *writer) gap(column int) {
	w.b.WriteString(w.pick("gap", "", "", " "))
	if w.n("break", 0, 6) == 6 {
		fmt.Fprintf(&w.b, " # g%d%s%s", w.next(), w.eol, strings.Repeat(" ", column+2))
	}
}

// change draws a change of the tree: of one of its mappings or lists.
func (w *writer) change(t *Tree) {
	var maps, lists []*yaml.Node
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		switch {
		case n.Kind == yaml.MappingNode && len(t.Content(n)) > 0:
			maps = append(maps, n)
		case n.Kind == yaml.SequenceNode && len(t.Content(n)) > 0:
			lists = append(lists, n)
		}
		for _, c := range t.Content(n) {
			walk(c)
		}
	}
	walk(t.Root)
	if len(maps) == 0 {
		return
	}
	m := maps[w.n("mapping", 0, len(maps)-1)]
	pairs := len(t.Content(m)) / 2
	i := 2 * w.n("pair", 0, pairs-1)
	name := fmt.Sprintf("n%d", w.next())
	if len(lists) > 0 && w.n("in a list", 0, 4) == 4 {
		l := lists[w.n("which", 0, len(lists)-1)]
		i := w.n("item", 0, len(t.Content(l))-1)
		switch w.n("change of a list", 0, 3) {
		case 0:
			t.SetContent(l, slices.Delete(slices.Clone(t.Content(l)), i, i+1))
		case 1:
			t.SetContent(l, slices.Insert(slices.Clone(t.Content(l)), i, Mapping(Text(name), Text("[x"))))
		case 2:
			t.Replace(l, i, Text("y: {"))
		case 3:
			content := slices.Clone(t.Content(l))
			item := content[i]
			t.SetContent(l, append(slices.Delete(content, i, i+1), Mapping(Text(name), item)))
		}
		return
	}
	switch w.n("change", 0, 7) {
	case 0:
		t.Rename(m, i, name)
	case 1:
		t.Insert(m, i, Text(name), Text("a: b"))
	case 2:
		t.Replace(m, i+1, Text("tools[*].name"))
	case 3:
		if pairs > 1 {
			t.Remove(m, i)
		}
	case 4: // wrap
		key, value := t.Remove(m, i)
		t.Insert(m, i, Text(name), Mapping(key, value))
	case 5: // unwrap
		value := t.Content(m)[i+1]
		if value.Kind == yaml.MappingNode {
			t.Remove(m, i)
			for range len(t.Content(value)) / 2 {
				k, v := t.Remove(value, 0)
				t.Insert(m, i, k, v)
				i += 2
			}
			if len(t.Content(m)) == 0 {
				t.Insert(m, 0, Text(name), Text(""))
			}
		}
	case 6: // move
		key, value := t.Remove(m, i)
		t.Insert(m, 2*w.n("to", 0, pairs-1), key, value)
	case 7:
		t.Replace(m, i+1, Flow(Mapping(Text("state"), Text("q"))))
	}
}
