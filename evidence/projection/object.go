package projection

import (
	"bytes"
	"slices"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// writer writes projections. Callers write members in canonical order.
type writer struct {
	jcs *jcs.Writer
	dst []byte
}

func newWriter() *writer { return &writer{jcs: jcs.NewWriter(nil)} }

func (w *writer) reset() { w.dst = w.dst[:0] }

func (w *writer) open() { w.dst = append(w.dst, '{') }

func (w *writer) close() { w.dst = append(w.dst, '}') }

func (w *writer) name(name string) {
	if last := w.dst[len(w.dst)-1]; last != '{' {
		w.dst = append(w.dst, ',')
	}
	w.dst = append(jcs.AppendText(w.dst, name), ':')
}

func (w *writer) text(name, value string) {
	w.name(name)
	w.dst = jcs.AppendText(w.dst, value)
}

// literal writes a member with a value that is canonical JSON.
func (w *writer) literal(name, value string) {
	w.name(name)
	w.dst = append(w.dst, value...)
}

// value writes a member with a value of the text, null if absent.
func (w *writer) value(name string, v strictjson.Node) {
	if !v.Exists() {
		w.literal(name, "null")
		return
	}
	w.name(name)
	w.dst = w.jcs.Append(w.dst, v)
}

// object writes an object member. member writes changed members and reports which.
func (w *writer) object(name string, v strictjson.Node, member func(strictjson.Node) bool) {
	w.name(name)
	w.open()
	for _, m := range inOrder(v) {
		if !member(m) {
			w.value(m.Key(), m)
		}
	}
	w.close()
}

// sorted writes an array member with elements sorted by their canonical forms.
func (w *writer) sorted(name string, v strictjson.Node) {
	elements := make([][]byte, 0, v.Len())
	for e := range v.Children() {
		elements = append(elements, w.jcs.Append(nil, e))
	}
	slices.SortFunc(elements, bytes.Compare)
	w.name(name)
	w.dst = append(append(append(w.dst, '['), bytes.Join(elements, []byte{','})...), ']')
}

// inOrder are the members of an object in the order of canonical JSON.
func inOrder(v strictjson.Node) []strictjson.Node {
	members := slices.Collect(v.Children())
	slices.SortFunc(members, func(a, b strictjson.Node) int { return jcs.CompareNames(a.Key(), b.Key()) })
	return members
}
