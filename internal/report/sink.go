package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"iter"

	"github.com/cupel-dev/cupel/internal/say"
)

// sink is a stream that keeps its first error, so that writers check once per answer.
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

// fail writes a failure in cupel's message form, if wanted.
func (s *sink) fail(wanted bool, message string) {
	if wanted {
		s.text("cupel: error: ", say.Visible(message), "\n")
	}
}

// json writes v on one line without a line end. It escapes invisible characters, but not for HTML.
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

func (s *sink) encode(v any) []byte {
	if s.enc == nil {
		s.enc = json.NewEncoder(&s.line)
		s.enc.SetEscapeHTML(false)
	}
	s.line.Reset()
	s.err = cmp.Or(s.err, s.enc.Encode(v))
	return bytes.TrimSuffix(s.line.Bytes(), []byte{'\n'})
}

// Long is a value that ends with long lists, whose elements are written one by one. The Value of an [Answer] can
// return it from a method Long.
type Long struct {
	Head  any // an object with the other members, at least one
	Lists []LongList
}

type LongList struct {
	Member   string
	Elements iter.Seq[any]
}

func (s *sink) long(l Long) {
	s.bytes(say.JSON(bytes.TrimSuffix(s.encode(l.Head), []byte{'}'})))
	for _, list := range l.Lists {
		s.text(`,"`, list.Member, `":[`)
		separator := ""
		for v := range list.Elements {
			s.text(separator)
			if s.json(v); s.err != nil {
				return
			}
			separator = ","
		}
		s.text("]")
	}
	s.text("}")
}

// Encoded is a value that was already encoded as JSON, possibly by a worker.
type Encoded []byte

type Encoder struct {
	into bytes.Buffer
	sink sink
}

func (e *Encoder) Encode(v any) (Encoded, error) {
	e.into.Reset()
	e.sink.w, e.sink.err = &e.into, nil
	e.sink.json(v)
	return bytes.Clone(e.into.Bytes()), e.sink.err
}
