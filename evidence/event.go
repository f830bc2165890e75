package evidence

import (
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/secrets"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// place is the text of one event, possibly on several lines, and its first line number.
type place struct {
	text []byte
	line int
}

// locate sets a finding's position to the bytes [start, end) of the text.
func (p place) locate(f *Finding, start, end int) {
	source.Point(f, source.Line{Number: p.line, Bytes: secrets.Masked(p.text, start)}, start, end)
}

// Event is a read-only view of an event. It is strict JSON, but its members can violate the contract. An Event and
// its values refer to the source text and are valid until it changes. An Event of [Hasher.Hash] is valid until the
// next call, one of [HashStream] until the callback returns.
type Event struct {
	place place
	doc   strictjson.Document
	at    [attributes]int32 // the attributes' places in the document, 0 for one that is not there

	plainData bool // data was seen to be written in canonical JSON, when it was hashed
}

// Text returns the bytes of the event: the object with surrounding space. [Value.Span] refers to them.
func (e *Event) Text() []byte { return e.place.text }

func (e *Event) Root() Value { return Value{e.root()} }

// Get returns an attribute's value, or the zero Value. Use Root for other members.
func (e *Event) Get(a Attribute) Value { return Value{e.get(a)} }

// Locate sets a finding's position to a value of the event. For a container it is the first byte, for an absent
// value the event. start is the offset in the text. Path is unchanged.
func (e *Event) Locate(f *Finding, at Value) (start int) { return e.locate(f, at.node) }

// Canonical reports whether the event's text is canonical JSON (RFC 8785), which digests of whole events require.
func (e *Event) Canonical() bool {
	if e.plainData {
		return jcs.IsCanonical(&e.doc, e.get(AttrData))
	}
	return jcs.IsCanonical(&e.doc, strictjson.Node{})
}

// HasCanonicalForm reports whether the whole event has a canonical form. Numbers in unknown members can exceed the
// range of a double.
func (e *Event) HasCanonicalForm() bool { return !e.doc.Wide }

func (e *Event) root() strictjson.Node { return e.doc.Root() }

func (e *Event) get(a Attribute) strictjson.Node {
	if e.at[a] == 0 {
		return strictjson.Node{}
	}
	return e.doc.Node(int(e.at[a]))
}

func (e *Event) locate(f *Finding, at strictjson.Node) (start int) {
	if !at.Exists() {
		at = e.root()
	}
	start, end := at.Span()
	if at.Is(strictjson.Object) || at.Is(strictjson.Array) {
		end = start + 1 // a container as a whole: its first byte is place enough
	}
	e.place.locate(f, start, end)
	return start
}

// reader parses one event after another.
type reader struct {
	scanner *strictjson.Scanner
	event   Event
}

func newReader(limits Limits) reader { return reader{scanner: limits.scanner()} }

// read parses the event at a place; the result is valid until the next call. An event with an error must not be
// used. A JSON value other than an object is an event without attributes.
func (r *reader) read(at place) (*Event, *strictjson.Error) {
	doc, err := r.scanner.Scan(at.text)
	if err != nil {
		return nil, refusal(err)
	}
	e := &r.event
	e.place, e.doc = at, *doc
	clear(e.at[:])
	e.plainData = false
	for member := range e.root().Children() {
		e.at[attributeOf(member.KeyBytes(nil))] = int32(member.Index())
	}
	e.at[AttrOther] = 0 // where unknown members were recorded
	if e.doc.Wide {
		return e, e.wideFault()
	}
	return e, nil
}

// wideFault returns an error for a number outside of a double's range, except in unknown attributes, which are not
// hashed.
func (e *Event) wideFault() *strictjson.Error {
	if !e.root().Is(strictjson.Object) {
		return wideNumber(firstWide(e.root()))
	}
	for member := range e.root().Children() {
		if attributeOf(member.KeyBytes(nil)) == AttrOther {
			continue
		}
		if n := firstWide(member); n.Exists() {
			return wideNumber(n)
		}
	}
	return nil
}

func wideNumber(n strictjson.Node) *strictjson.Error {
	start, _ := n.Span()
	fault := strictjson.TooWide(start)
	fault.Pointer = n.Pointer()
	return fault
}

// firstWide returns the first number outside of a double's range, or the zero Node.
func firstWide(v strictjson.Node) strictjson.Node {
	for n := range v.All() {
		if _, ok := n.Float(); !ok && n.Is(strictjson.Number) {
			return n
		}
	}
	return strictjson.Node{}
}
