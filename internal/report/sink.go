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
	if s.err != nil {
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
