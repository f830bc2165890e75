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

// The kinds. KindAbsent is the kind of the zero Value: a member that is not there.
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

// UnmarshalText sets the kind to the one that text names.
func (k *Kind) UnmarshalText(text []byte) error { return enum.Read("kind", kindNames[:], k, text) }

// kindsOfNodes maps the scanner's kinds.
var kindsOfNodes = [...]Kind{
	strictjson.Absent: KindAbsent, strictjson.Null: KindNull, strictjson.False: KindBool, strictjson.True: KindBool,
	strictjson.Number: KindNumber, strictjson.String: KindString, strictjson.Array: KindArray, strictjson.Object: KindObject,
}

// Value is a JSON value of an event by reference, valid as long as its Event. The zero Value is
// absent; methods treat it as a value of the wrong type.
type Value struct{ node strictjson.Node }

// Kind returns the value's type.
func (v Value) Kind() Kind { return kindsOfNodes[v.node.Kind()] }

// Exists reports whether there is a value at all; null is one.
func (v Value) Exists() bool { return v.node.Exists() }

// Missing reports whether the value is absent or null, which is the same for most attributes.
func (v Value) Missing() bool { return v.node.Missing() }

// Text returns the value of a string without its escapes; ok is false for other kinds.
func (v Value) Text() (s string, ok bool) { return v.node.Text() }

// TextBytes is Text without a copy unless the string has escapes, in which case it is appended to
// scratch[:0]. It is nil for other kinds.
func (v Value) TextBytes(scratch []byte) []byte { return v.node.TextBytes(scratch) }

// Int returns the value of a number that is written as an integer, without fraction
// and exponent, and that an int64 holds.
func (v Value) Int() (i int64, ok bool) { return v.node.Int() }

// Bool returns the value of true or false; ok is false for other kinds.
func (v Value) Bool() (b, ok bool) { return v.node.Bool() }

// Raw returns the value's bytes as the event has them, a string with its quotes.
func (v Value) Raw() []byte { return v.node.Raw() }

// AppendCanonical appends the value's canonical form (RFC 8785), on which digests are based.
func (v Value) AppendCanonical(dst []byte) []byte {
	if !v.Exists() {
		return dst
	}
	return jcs.NewWriter(nil).Append(dst, v.node)
}

// Span returns the value's byte range in the event's text, 0, 0 if absent.
func (v Value) Span() (start, end int) { return v.node.Span() }

// NameSpan returns the span of a member's name with its quotes.
func (v Value) NameSpan() (start, end int) { return v.node.KeySpan() }

// Name returns the name of a value that is a member, "" for the event itself and for the elements of an array.
func (v Value) Name() string { return v.node.Key() }

// NameBytes is Name without a copy unless the name has escapes, in which case it is appended to
// scratch[:0]. It is nil for an absent value.
func (v Value) NameBytes(scratch []byte) []byte { return v.node.KeyBytes(scratch) }

// Attribute returns the attribute with the member's name, or AttrOther for a name that the contract does not define.
func (v Value) Attribute() Attribute { return attributeOf(v.node.KeyBytes(nil)) }

// Pointer returns the value's JSON pointer (RFC 6901) in the event. It walks to the value and is not for every value.
func (v Value) Pointer() string { return v.node.Pointer() }

// PointerOf is Pointer, but cuts each name to at most name bytes.
func (v Value) PointerOf(name int) string { return v.node.PointerOf(name) }

// Len returns the number of members or elements, 0 for scalars.
func (v Value) Len() int { return v.node.Len() }

// Get returns an object's member by exact name, or the zero Value.
func (v Value) Get(name string) Value { return Value{v.node.Get(name)} }

// Children yields the members of an object or the elements of an array, in the order
// of the event; nothing for scalars.
func (v Value) Children() iter.Seq[Value] { return values(v.node.Children()) }

// All yields the value and everything below it, each container before its content. It does not recurse.
func (v Value) All() iter.Seq[Value] { return values(v.node.All()) }

// Differences yields the innermost values that differ from another's: members in the order of their
// names, elements by index. One of two is absent where the value is not there.
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
