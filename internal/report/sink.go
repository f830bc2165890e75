package report

import (
	"bytes"
	"encoding/json"
	"io"

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
	if s.err != nil {
		return
	}
	if done, ok := v.(Encoded); ok {
		_, s.err = s.w.Write(done)
		return
	}
	if s.enc == nil {
		s.enc = json.NewEncoder(&s.line)
		s.enc.SetEscapeHTML(false)
	}
	s.line.Reset()
	if s.err = s.enc.Encode(v); s.err == nil {
		_, s.err = s.w.Write(say.JSON(bytes.TrimSuffix(s.line.Bytes(), []byte{'\n'})))
	}
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
