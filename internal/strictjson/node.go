package strictjson

import (
	"iter"
	"strconv"
)

// Node is one value of a document. The zero Node is absent: its Kind is Absent and
// every accessor answers as for a value of the wrong type.
type Node struct {
	doc   *Document
	index int32
}

func (n Node) value() *Value { return &n.doc.Values[n.index] }

// Exists says whether the node stands for a value at all.
func (n Node) Exists() bool { return n.doc != nil }

// Document returns the document that the node belongs to; nil for the zero Node.
func (n Node) Document() *Document { return n.doc }

// Index returns the node's place in the document: the number of values that begin
// before it.
func (n Node) Index() int { return int(n.index) }

// Size returns the number of values from the node's own to the last one that it holds:
// 1 for scalars, 0 for the zero Node. The values at Index up to Index+Size are it and
// all below it.
func (n Node) Size() int {
	if n.doc == nil {
		return 0
	}
	return int(n.value().Next - n.index)
}

// Kind returns the value's type, Absent for the zero Node.
func (n Node) Kind() Kind {
	if n.doc == nil {
		return Absent
	}
	return n.value().Kind
}

// Is says whether the value is of kind k.
func (n Node) Is(k Kind) bool { return n.Kind() == k }

// Missing says whether the value is absent or null.
func (n Node) Missing() bool { return n.Kind() <= Null }

// Span returns the value's byte range in the source; strings include their quotes.
func (n Node) Span() (start, end int) {
	if n.doc == nil {
		return 0, 0
	}
	from, to := n.value().Span()
	return int(from), int(to)
}

// KeySpan returns the byte range of the member name, quotes included.
func (n Node) KeySpan() (start, end int) {
	if n.doc == nil {
		return 0, 0
	}
	v := n.value()
	return int(v.KeyStart) - 1, int(v.KeyEnd) + 1
}

// Raw returns the value's source bytes, the quotes of a string included.
func (n Node) Raw() []byte {
	if n.doc == nil {
		return nil
	}
	start, end := n.Span()
	return n.doc.Source[start:end]
}

// KeyRaw returns the member name's source bytes, quotes included.
func (n Node) KeyRaw() []byte {
	if n.doc == nil {
		return nil
	}
	start, end := n.KeySpan()
	return n.doc.Source[start:end]
}

// Escaped says whether the value is a string with an escape in its source.
func (n Node) Escaped() bool { return n.doc != nil && n.value().Has(Escaped) }

// Canonical says that the value's source is its canonical form by RFC 8785. It is sure, but
// not of every such value: one that is spelled in a rare way may be, too.
func (n Node) Canonical() bool { return n.doc != nil && n.value().Has(Canonical) }

// CanonicalMember returns the source of a member, its name, the colon and its value, where that
// is as RFC 8785 writes it; nil where it may not be.
func (n Node) CanonicalMember() []byte {
	if n.doc == nil {
		return nil
	}
	v := n.value()
	start, end := v.Span()
	if v.Marks&(Canonical|KeyEscaped) != Canonical || start != v.KeyEnd+int32(len(`":`)) {
		return nil
	}
	return n.doc.Source[v.KeyStart-1 : end]
}

// Integer says whether the value is a number written as digits alone, without fraction
// and exponent.
func (n Node) Integer() bool { return n.doc != nil && n.value().Has(Integer) }

// Len returns the number of members or elements; 0 for scalars.
func (n Node) Len() int {
	if n.doc == nil {
		return 0
	}
	return int(n.value().Count)
}

// Key returns the member name of a value that was reached through its object.
func (n Node) Key() string {
	if n.doc == nil {
		return ""
	}
	v := n.value()
	return text(n.doc.Source[v.KeyStart:v.KeyEnd], v.Has(KeyEscaped))
}

// KeyBytes returns the member name as bytes. Without escapes they are the source's own;
// otherwise they are appended to scratch[:0].
func (n Node) KeyBytes(scratch []byte) []byte {
	if n.doc == nil {
		return nil
	}
	v := n.value()
	raw := n.doc.Source[v.KeyStart:v.KeyEnd]
	if !v.Has(KeyEscaped) {
		return raw
	}
	return AppendUnescaped(scratch[:0], raw)
}

// KeyEscaped says whether the member name has an escape in its source.
func (n Node) KeyEscaped() bool { return n.doc != nil && n.value().Has(KeyEscaped) }

// KeyIs compares the member name without allocating.
func (n Node) KeyIs(name string) bool { return n.doc != nil && n.doc.named(n.value(), name) }

// Get returns the member called name of an object; the zero Node when there is none
// or the value is not an object.
func (n Node) Get(name string) Node { return n.member(name, true) }

// Last returns the last member called name of an object that may name it twice; the
// zero Node when there is none or the value is not an object.
func (n Node) Last(name string) Node { return n.member(name, false) }

// member finds the first or the last member of a name. It is called for every member
// that any format knows, so it walks the values itself and not through Children.
func (n Node) member(name string, first bool) (found Node) {
	if !n.Is(Object) {
		return found
	}
	values := n.doc.Values
	for i, end := n.index+1, values[n.index].Next; i < end; i = values[i].Next {
		if n.doc.named(&values[i], name) {
			found = Node{n.doc, i}
			if first {
				break
			}
		}
	}
	return found
}

// At returns element i of an array or member i of an object in source order; the
// zero Node when there is none.
func (n Node) At(i int) Node {
	for child := range n.Children() {
		if i == 0 {
			return child
		}
		i--
	}
	return Node{}
}

// Children yields the members of an object or the elements of an array in source
// order; nothing for scalars.
func (n Node) Children() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.doc == nil || n.value().Kind < Array {
			return
		}
		values := n.doc.Values
		for i, end := n.index+1, values[n.index].Next; i < end; i = values[i].Next {
			if !yield(Node{n.doc, i}) {
				return
			}
		}
	}
}

// All yields the node and every value below it, in document order.
func (n Node) All() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.doc == nil {
			return
		}
		for i, end := n.index, n.value().Next; i < end; i++ {
			if !yield(Node{n.doc, i}) {
				return
			}
		}
	}
}

// Text returns the value of a string, unescaped; ok is false for other kinds.
func (n Node) Text() (s string, ok bool) {
	if !n.Is(String) {
		return "", false
	}
	v := n.value()
	return text(n.doc.Source[v.Start:v.End], v.Has(Escaped)), true
}

// TextIs says whether the value is the string s, without allocating.
func (n Node) TextIs(s string) bool {
	if !n.Is(String) {
		return false
	}
	v := n.value()
	raw := n.doc.Source[v.Start:v.End]
	if v.Has(Escaped) {
		return text(raw, true) == s
	}
	return string(raw) == s
}

// TextBytes returns the value of a string as bytes. Without escapes they are the
// source's own bytes; otherwise they are appended to scratch[:0]. Nil for other kinds.
func (n Node) TextBytes(scratch []byte) []byte {
	if !n.Is(String) {
		return nil
	}
	v := n.value()
	raw := n.doc.Source[v.Start:v.End]
	if !v.Has(Escaped) {
		return raw
	}
	return AppendUnescaped(scratch[:0], raw)
}

// Int returns the value of a number written as digits alone (no fraction, no
// exponent) that fits 64 bits signed; ok is false otherwise.
func (n Node) Int() (i int64, ok bool) {
	if !n.Integer() {
		return 0, false
	}
	raw := n.Raw()
	if small, ok := smallNumber(raw); ok {
		return int64(small), true
	}
	i, err := strconv.ParseInt(string(raw), 10, 64)
	return i, err == nil
}

// Uint returns the value of a number written as digits alone, without a sign, that fits 64
// bits unsigned; ok is false otherwise.
func (n Node) Uint() (i uint64, ok bool) {
	if !n.Integer() {
		return 0, false
	}
	raw := n.Raw()
	if i, ok = smallNumber(raw); ok {
		return i, true
	}
	i, err := strconv.ParseUint(string(raw), 10, 64)
	return i, err == nil
}

// smallNumber is the value of up to 18 digits, which are most numbers; not ok for any other text.
func smallNumber(raw []byte) (n uint64, ok bool) {
	if len(raw) > 18 {
		return 0, false
	}
	for _, c := range raw {
		if c -= '0'; c > 9 {
			return 0, false
		}
		n = 10*n + uint64(c)
	}
	return n, true
}

// Float returns the value of any number as the nearest double; ok is false for
// other kinds.
func (n Node) Float() (f float64, ok bool) {
	if !n.Is(Number) {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(n.Raw()), 64)
	return f, err == nil
}

// Bool returns the value of true or false; ok is false for other kinds.
func (n Node) Bool() (b, ok bool) {
	k := n.Kind()
	return k == True, k == True || k == False
}
