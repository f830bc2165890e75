package evidence

import (
	"bytes"
	"iter"

	"github.com/cupel-dev/cupel/internal/enum"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Kind is the type of a JSON value.
type Kind uint8

// The kinds. KindAbsent is the kind of the zero Value, a missing member.
const (
	KindAbsent Kind = iota
	KindNull
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

var kindNames = [...]string{"absent", "null", "boolean", "number", "string", "array", "object"}

// String returns the name of the kind.
func (k Kind) String() string { return enum.Name(kindNames[:], k) }

// MarshalText returns the kind's name, or an error.
func (k Kind) MarshalText() ([]byte, error) { return enum.Text(kindNames[:], k) }

// UnmarshalText sets the kind to the one with the name text.
func (k *Kind) UnmarshalText(text []byte) error { return enum.Read("kind", kindNames[:], k, text) }

var kindsOfNodes = [...]Kind{
	strictjson.Absent: KindAbsent, strictjson.Null: KindNull, strictjson.False: KindBool, strictjson.True: KindBool,
	strictjson.Number: KindNumber, strictjson.String: KindString, strictjson.Array: KindArray, strictjson.Object: KindObject,
}

// Value is a JSON value of an event by reference, valid as long as its Event. The zero Value is absent. Methods
// treat it like a value of the wrong type.
type Value struct{ node strictjson.Node }

// Kind returns the value's type.
func (v Value) Kind() Kind { return kindsOfNodes[v.node.Kind()] }

// Exists reports whether the value is present. null is.
func (v Value) Exists() bool { return v.node.Exists() }

// Missing reports whether the value is absent or null. For most attributes both mean the same.
func (v Value) Missing() bool { return v.node.Missing() }

// Text returns the unescaped value of a string; ok is false for other kinds.
func (v Value) Text() (s string, ok bool) { return v.node.Text() }

// TextBytes is Text without a copy, unless the string has escapes and is decoded into scratch[:0]. It returns nil
// for other kinds.
func (v Value) TextBytes(scratch []byte) []byte { return v.node.TextBytes(scratch) }

// Int returns a number written as an integer (without fraction or exponent) that fits an int64.
func (v Value) Int() (i int64, ok bool) { return v.node.Int() }

// Bool returns the value of true or false; ok is false for other kinds.
func (v Value) Bool() (b, ok bool) { return v.node.Bool() }

// Raw returns the value as written, a string with its quotes.
func (v Value) Raw() []byte { return v.node.Raw() }

// AppendCanonical appends the canonical form of the value (RFC 8785), which digests are computed over.
func (v Value) AppendCanonical(dst []byte) []byte {
	if !v.Exists() {
		return dst
	}
	return jcs.NewWriter(nil).Append(dst, v.node)
}

// Span returns the value's byte range in the event's text, or 0, 0 if absent.
func (v Value) Span() (start, end int) { return v.node.Span() }

// NameSpan returns the byte range of the member's name with its quotes.
func (v Value) NameSpan() (start, end int) { return v.node.KeySpan() }

// Name returns the name of a member, or "" for the event and array elements.
func (v Value) Name() string { return v.node.Key() }

// NameBytes is Name without a copy, unless the name has escapes and is decoded into scratch[:0]. It returns nil for
// an absent value.
func (v Value) NameBytes(scratch []byte) []byte { return v.node.KeyBytes(scratch) }

// Attribute returns the attribute with the member's name, or AttrOther for a name that the contract does not
// define.
func (v Value) Attribute() Attribute { return attributeOf(v.node.KeyBytes(nil)) }

// Pointer returns the value's JSON pointer (RFC 6901) in the event. It takes time proportional to the event.
func (v Value) Pointer() string { return v.node.Pointer() }

// PointerOf is Pointer with names truncated to name bytes.
func (v Value) PointerOf(name int) string { return v.node.PointerOf(name) }

// Len returns the number of members or elements, 0 for scalars.
func (v Value) Len() int { return v.node.Len() }

// Get returns an object's member by exact name, or the zero Value.
func (v Value) Get(name string) Value { return Value{v.node.Get(name)} }

// Children yields the members of an object or the elements of an array, in order.
func (v Value) Children() iter.Seq[Value] { return values(v.node.Children()) }

// All yields the value and everything below it, containers before their content. It does not recurse.
func (v Value) All() iter.Seq[Value] { return values(v.node.All()) }

// Differences yields the innermost values that differ from other's: members in order of names, elements by index. A
// missing value is absent.
func (v Value) Differences(other Value) iter.Seq2[Value, Value] {
	return func(yield func(a, b Value) bool) {
		for a, b := range strictjson.Differences(v.node, other.node) {
			left, right := Value{a}, Value{b}
			spelled := left.Kind() == KindNumber && right.Kind() == KindNumber && bytes.Equal(left.AppendCanonical(nil), right.AppendCanonical(nil))
			if !spelled && !yield(left, right) {
				return
			}
		}
	}
}

func values(nodes iter.Seq[strictjson.Node]) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for n := range nodes {
			if !yield(Value{n}) {
				return
			}
		}
	}
}
