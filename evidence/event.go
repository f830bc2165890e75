package evidence

import (
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/secrets"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// place is the text of one event, which may go over several lines, and the number of the line that it begins on.
type place struct {
	text []byte
	line int
}

// locate places a finding at the bytes [start, end) of the text.
func (p place) locate(f *Finding, start, end int) {
	source.Point(f, source.Line{Number: p.line, Bytes: secrets.Masked(p.text, start)}, start, end)
}

// Event is a read-only view of an event as read by the hasher. Only strict JSON becomes an Event;
// its members are as written and can violate the contract.
//
// An Event and its values refer to the source text and are valid until it changes. An Event of
// [Hasher.Hash] is valid until the next call, one of [HashStream] until the callback returns.
type Event struct {
	place place
	doc   strictjson.Document
	at    [attributes]int32 // the attributes' places in the document, 0 for one that is not there

	plainData bool // data was seen to be written in canonical JSON, when it was hashed
}

// Text returns the bytes that the event was read from, which [Value.Span] counts in: the
// object, and blanks around it.
func (e *Event) Text() []byte { return e.place.text }

// Root returns the event as a whole: an object.
func (e *Event) Root() Value { return Value{e.root()} }

// Get returns an attribute's value, or the zero Value. Other members are available through
// Root().Get and Root().Children.
func (e *Event) Get(a Attribute) Value { return Value{e.get(a)} }

// Locate sets a finding's position to a value of the event: lines, columns and the source line. A container is
// represented by its first byte, an absent value by the event. start is the byte in the text. Path is unchanged.
func (e *Event) Locate(f *Finding, at Value) (start int) { return e.locate(f, at.node) }

// Canonical reports whether the event's text is canonical JSON (RFC 8785), on which digests of
// whole events are based.
func (e *Event) Canonical() bool {
	if e.plainData {
		return jcs.IsCanonical(&e.doc, e.get(AttrData))
	}
	return jcs.IsCanonical(&e.doc, strictjson.Node{})
}

// HasCanonicalForm reports whether the whole event has a canonical form: numbers in unknown members
// can be outside of a double's range.
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

// reader reads events one after another.
type reader struct {
	scanner *strictjson.Scanner
	event   Event
}

func newReader(limits Limits) reader { return reader{scanner: limits.scanner()} }

// read reads the event at a place in one pass; it is valid until the next call. After a fault (not strict JSON) it
// must not be used; a JSON value other than an object is an event without attributes.
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

// wideFault rejects a number outside of a double's range, except in unknown attributes, which are not hashed.
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

// firstWide returns the first number beyond a double in a value, or the zero Node.
func firstWide(v strictjson.Node) strictjson.Node {
	for n := range v.All() {
		if _, ok := n.Float(); !ok && n.Is(strictjson.Number) {
			return n
		}
	}
	return strictjson.Node{}
}
