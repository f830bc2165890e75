// Package strictjson reads JSON as untrusted evidence must be read: one pass over
// the bytes, no recursion, no copies, and no leniency.
//
// It accepts RFC 8259 texts that are also I-JSON (RFC 7493) and refuses what other
// readers pass over: duplicate member names (compared after unescaping, at any
// depth), bytes that are not UTF-8, lone or reversed surrogate escapes, a byte
// order mark, bytes after the value, numbers that no double can hold.
//
// The result is a Document: the values in document order, each with the byte range
// it was read from, so that a checker can point at the exact place and a canonical
// writer can copy straight from the source.
package strictjson

import "unsafe"

// Kind is the type of a JSON value.
type Kind uint8

// The kinds. Absent is the kind of the zero Node.
const (
	Absent Kind = iota
	Null
	False
	True
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"absent", "null", "boolean", "boolean", "number", "string", "array", "object"}

// String returns the kind's name in JSON's own terms: "boolean" for both literals.
func (k Kind) String() string { return kindNames[k] }

// Value is one value of a document: offsets into Document.Source and links within
// Document.Values. Strings and member names exclude their quotes.
type Value struct {
	Start, End       int32 // the value's bytes
	KeyStart, KeyEnd int32 // the member name, for values that are members of an object
	Next             int32 // index of the first value after this one and all it contains
	Count            int32 // members or elements, for containers
	Kind             Kind
	Marks            Marks
	shape            uint16 // of Document.shapes, for objects; 0: it is not known
}

// Marks are what a scan notes of a value beside its place, as bits.
type Marks uint8

// The marks. Canonical and Sorted are sure: a value without them may still deserve them.
const (
	Escaped    Marks = 1 << iota // a string with at least one escape
	KeyEscaped                   // a member name with at least one escape
	Integer                      // a number without fraction and exponent
	Sorted                       // an object whose names have no escapes and ascend (RFC 8785 §3.2.3), or an array
	Canonical                    // the value's bytes are its canonical form (RFC 8785), and its numbers are as Python spells them
)

// Has says whether a value has all the given marks.
func (v *Value) Has(m Marks) bool { return v.Marks&m == m }

// Span returns the value's byte range in the source; strings include their quotes.
func (v *Value) Span() (start, end int32) {
	if v.Kind == String {
		return v.Start - 1, v.End + 1
	}
	return v.Start, v.End
}

// ValueBytes is the size of a Value.
const ValueBytes = int(unsafe.Sizeof(Value{}))

// Document is one scanned JSON text. It refers to the bytes it was scanned from and
// is valid until the scanner that made it scans again.
//
// Readers ask its nodes. Values is open for the canonical writer alone, which asks several
// things of every value: through nodes it takes a twelfth longer.
type Document struct {
	Source []byte
	Values []Value // in document order; Values[0] is the root
	Wide   bool    // a number is beyond a double, see Limits.WideNumbers
	shapes shapes
}

// Copy returns the document with its values at the end of slab, and the slab. Unlike
// the document, the copy stays valid when the scanner goes on; it refers to the same
// source.
func (d *Document) Copy(slab []Value) (Document, []Value) {
	start := len(slab)
	slab = append(slab, d.Values...)
	return Document{Source: d.Source, Values: slab[start:len(slab):len(slab)], Wide: d.Wide, shapes: d.shapes}, slab
}

// Root returns the document's value.
func (d *Document) Root() Node { return Node{d, 0} }

// Node returns the node whose Index is i.
func (d *Document) Node(i int) Node { return Node{d, int32(i)} }

// Capacity is how many values fit the memory that the document holds: what a caller who
// keeps its scanner keeps with it.
func (d *Document) Capacity() int { return cap(d.Values) }

// named says whether a value is a member called name.
func (d *Document) named(v *Value, name string) bool {
	if v.Has(KeyEscaped) {
		return text(d.Source[v.KeyStart:v.KeyEnd], true) == name
	}
	return int(v.KeyEnd-v.KeyStart) == len(name) && string(d.Source[v.KeyStart:v.KeyEnd]) == name
}

// text is the text of a string or a name; raw is its source without quotes.
func text(raw []byte, escaped bool) string {
	if !escaped {
		return string(raw)
	}
	return string(AppendUnescaped(nil, raw))
}
