package strictjson

import (
	"iter"
	"strconv"
)

// Node is a value of a document. The zero Node is absent: accessors treat it as a value of the wrong type.
type Node struct {
	doc   *Document
	index int32
}

func (n Node) value() *Value { return &n.doc.Values[n.index] }

// Exists reports whether n is not the zero Node.
func (n Node) Exists() bool { return n.doc != nil }

// Document returns the node's document; nil for the zero Node.
func (n Node) Document() *Document { return n.doc }

// Index returns the node's position in document order.
func (n Node) Index() int { return int(n.index) }

// Size returns the number of values in the node's subtree: 1 for scalars, 0 for the zero Node. They
// have the indexes from Index up to Index+Size.
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

func (n Node) Is(k Kind) bool { return n.Kind() == k }

// Missing reports whether the value is absent or null.
func (n Node) Missing() bool { return n.Kind() <= Null }

// Span returns the value's byte range, including a string's quotes.
func (n Node) Span() (start, end int) {
	if n.doc == nil {
		return 0, 0
	}
	from, to := n.value().Span()
	return int(from), int(to)
}

// KeySpan returns the byte range of the member name, including quotes.
func (n Node) KeySpan() (start, end int) {
	if n.doc == nil {
		return 0, 0
	}
	v := n.value()
	return int(v.KeyStart) - 1, int(v.KeyEnd) + 1
}

// Raw returns the value's source, including a string's quotes.
func (n Node) Raw() []byte {
	if n.doc == nil {
		return nil
	}
	start, end := n.Span()
	return n.doc.Source[start:end]
}

// KeyRaw returns the member name's source, including quotes.
func (n Node) KeyRaw() []byte {
	if n.doc == nil {
		return nil
	}
	start, end := n.KeySpan()
	return n.doc.Source[start:end]
}

// Escaped reports whether the value is a string with an escape.
func (n Node) Escaped() bool { return n.doc != nil && n.value().Has(Escaped) }

// Canonical reports whether the value's source is known to be canonical (RFC 8785). It can return false for rare
// canonical notations.
func (n Node) Canonical() bool { return n.doc != nil && n.value().Has(Canonical) }

// CanonicalMember returns the source of a member (name, colon, value) if it is known to be canonical, else nil.
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

// Integer reports whether the value is a number without fraction and exponent.
func (n Node) Integer() bool { return n.doc != nil && n.value().Has(Integer) }

// Len returns the number of members or elements; 0 for scalars.
func (n Node) Len() int {
	if n.doc == nil {
		return 0
	}
	return int(n.value().Count)
}

// Key returns the member name.
func (n Node) Key() string {
	if n.doc == nil {
		return ""
	}
	v := n.value()
	return text(n.doc.Source[v.KeyStart:v.KeyEnd], v.Has(KeyEscaped))
}

// KeyBytes returns the member name: the source bytes, or if it has escapes, appended to scratch[:0].
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

// KeyEscaped reports whether the member name has an escape.
func (n Node) KeyEscaped() bool { return n.doc != nil && n.value().Has(KeyEscaped) }

// KeyIs compares the member name without allocating.
func (n Node) KeyIs(name string) bool { return n.doc != nil && n.doc.named(n.value(), name) }

// Get returns an object's member by name, or the zero Node.
func (n Node) Get(name string) Node { return n.member(name, true) }

// Last returns an object's last member of that name, or the zero Node.
func (n Node) Last(name string) Node { return n.member(name, false) }

// member returns the first or last member of a name. It is hot and does not use Children.
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

// At returns element or member i in source order, or the zero Node.
func (n Node) At(i int) Node {
	for child := range n.Children() {
		if i == 0 {
			return child
		}
		i--
	}
	return Node{}
}

// Children yields the members or elements in source order.
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

// All yields the node and its descendants in document order.
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

// Text returns the unescaped value of a string; ok is false for other kinds.
func (n Node) Text() (s string, ok bool) {
	if !n.Is(String) {
		return "", false
	}
	v := n.value()
	return text(n.doc.Source[v.Start:v.End], v.Has(Escaped)), true
}

// TextIs reports whether the value is the string s, without allocating.
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

// TextBytes returns a string's value: the source bytes, or if it has escapes, appended to
// scratch[:0]. It returns nil for other kinds.
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

// Int returns an integer (no fraction or exponent) that fits int64; ok is false otherwise.
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

// Uint returns an unsigned integer (digits only) that fits uint64; ok is false otherwise.
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

// smallNumber parses up to 18 digits; ok is false for any other text.
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

// Float returns a number as the nearest double; ok is false for other kinds.
func (n Node) Float() (f float64, ok bool) {
	if !n.Is(Number) {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(n.Raw()), 64)
	return f, err == nil
}

// Bool returns a boolean; ok is false for other kinds.
func (n Node) Bool() (b, ok bool) {
	k := n.Kind()
	return k == True, k == True || k == False
}
