// Package strictjson parses untrusted JSON: in one pass, without recursion, copies or leniency.
//
// It accepts RFC 8259 texts that are also I-JSON (RFC 7493). It rejects duplicate member names
// (compared after unescaping, at any depth), bytes that are not UTF-8, lone or reversed surrogate
// escapes, byte order marks, bytes after the value, and numbers outside the range of a double.
//
// The resulting Document lists the values in document order with their byte ranges, for exact error
// positions and for writers that copy from the source.
package strictjson

import "unsafe"

// Kind is the type of a JSON value.
type Kind uint8

// The kinds. The zero Node is Absent.
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

func (k Kind) String() string { return kindNames[k] }

// Value is a value of a document, as offsets into Document.Source and links within Document.Values.
// Strings and names exclude their quotes.
type Value struct {
	Start, End       int32 // byte range
	KeyStart, KeyEnd int32 // member name, for members of an object
	Next             int32 // index after this value and its contents
	Count            int32 // number of members or elements
	Kind             Kind
	Marks            Marks
	shape            uint16 // index in Document.shapes, for objects; 0: unknown
}

// Marks are properties of a value found by the scan.
type Marks uint8

// The marks. Canonical and Sorted are sufficient, not necessary: values without them can qualify, too.
const (
	Escaped    Marks = 1 << iota // string with an escape
	KeyEscaped                   // member name with an escape
	Integer                      // number without fraction and exponent
	Sorted                       // object with ascending names without escapes (RFC 8785 §3.2.3), or an array
	Canonical                    // the source is canonical (RFC 8785), with numbers as Python spells them
)

func (v *Value) Has(m Marks) bool { return v.Marks&m == m }

// Span returns the value's byte range, including a string's quotes.
func (v *Value) Span() (start, end int32) {
	if v.Kind == String {
		return v.Start - 1, v.End + 1
	}
	return v.Start, v.End
}

// ValueBytes is the size of a Value.
const ValueBytes = int(unsafe.Sizeof(Value{}))

// Document is a parsed JSON text. It refers to the source and is valid until the scanner's next scan. Use its
// nodes; Values is exported only for the canonical writer, for speed.
type Document struct {
	Source []byte
	Values []Value // in document order; Values[0] is the root
	Wide   bool    // contains a number outside of a double's range, see Limits.WideNumbers
	shapes shapes
}

// Copy returns the document with its values appended to slab, and slab. The copy stays valid after
// the next scan and refers to the same source.
func (d *Document) Copy(slab []Value) (Document, []Value) {
	start := len(slab)
	slab = append(slab, d.Values...)
	return Document{Source: d.Source, Values: slab[start:len(slab):len(slab)], Wide: d.Wide, shapes: d.shapes}, slab
}

func (d *Document) Root() Node { return Node{d, 0} }

func (d *Document) Node(i int) Node { return Node{d, int32(i)} }

// Capacity returns the number of values that fit the document's memory, which the scanner retains.
func (d *Document) Capacity() int { return cap(d.Values) }

func (d *Document) named(v *Value, name string) bool {
	if v.Has(KeyEscaped) {
		return text(d.Source[v.KeyStart:v.KeyEnd], true) == name
	}
	return int(v.KeyEnd-v.KeyStart) == len(name) && string(d.Source[v.KeyStart:v.KeyEnd]) == name
}

// text returns the text of a string or name; raw is its source without quotes.
func text(raw []byte, escaped bool) string {
	if !escaped {
		return string(raw)
	}
	return string(AppendUnescaped(nil, raw))
}
