package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"iter"

	"github.com/cupel-dev/cupel/internal/say"
)

// sink is a stream that remembers its first error, so that a writer can lay out a
// whole answer and look once.
type sink struct {
	w    io.Writer
	err  error
	line bytes.Buffer
	enc  *json.Encoder // into line
}

func (s *sink) text(parts ...string) {
	for _, p := range parts {
		if s.err == nil {
			_, s.err = io.WriteString(s.w, p)
		}
	}
}

// fail says in cupel's voice what could not be answered, where that is wanted.
func (s *sink) fail(wanted bool, message string) {
	if wanted {
		s.text("cupel: error: ", say.Visible(message), "\n")
	}
}

// json writes v on one line without a line end. Characters that only HTML would
// need escaped stay as they are; those that cannot be seen are escaped.
func (s *sink) json(v any) {
	if e, ok := v.(*Event); ok {
		s.element(e)
		return
	}
	if l, ok := v.(interface{ Long() Long }); ok {
		s.long(l.Long())
		return
	}
	if s.err != nil {
		return
	}
	if done, ok := v.(Encoded); ok {
		_, s.err = s.w.Write(done)
		return
	}
	s.bytes(say.JSON(s.encode(v)))
}

// encode returns the JSON of v, which is valid until the next.
func (s *sink) encode(v any) []byte {
	if s.enc == nil {
		s.enc = json.NewEncoder(&s.line)
		s.enc.SetEscapeHTML(false)
	}
	s.line.Reset()
	s.err = cmp.Or(s.err, s.enc.Encode(v))
	return bytes.TrimSuffix(s.line.Bytes(), []byte{'\n'})
}

// Long is a value whose last member is a list of so many elements that they are written one
// by one. An [Answer] that has such a value has a method Long that returns it.
type Long struct {
	Head     any // an object of other members, at least one
	Member   string
	Elements iter.Seq[any]
}

func (s *sink) long(l Long) {
	s.bytes(say.JSON(bytes.TrimSuffix(s.encode(l.Head), []byte{'}'})))
	s.text(`,"`, l.Member, `":[`)
	separator := ""
	for v := range l.Elements {
		s.text(separator)
		if s.json(v); s.err != nil {
			return
		}
		separator = ","
	}
	s.text("]}")
}

// Encoded is a value as the JSON formats write it: an [Answer] that has one is written
// without work for the writer, however many workers have encoded such values.
type Encoded []byte

// Encoder encodes values. It is not safe for concurrent use.
type Encoder struct {
	into bytes.Buffer
	sink sink
}

// Encode returns the text of a value, which is valid for good.
func (e *Encoder) Encode(v any) (Encoded, error) {
	e.into.Reset()
	e.sink.w, e.sink.err = &e.into, nil
	e.sink.json(v)
	return bytes.Clone(e.into.Bytes()), e.sink.err
}
