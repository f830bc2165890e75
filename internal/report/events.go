package report

import (
	"io"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// Event is the Value of an answer with an event. Both texts are JSON on one line, valid until the answer is
// written.
type Event struct {
	About []byte // members about the event: `"line":3,"match":true`
	Text  []byte // the event, or nil if unreadable
}

func (s *sink) element(e *Event) {
	text := e.Text
	if text == nil {
		text = []byte("null")
	}
	s.bytes([]byte("{"), say.JSON(e.About), []byte(`,"event":`), say.JSON(text), []byte("}"))
}

func (s *sink) bytes(parts ...[]byte) {
	for _, p := range parts {
		if s.err == nil {
			_, s.err = s.w.Write(p)
		}
	}
}

// eventLines writes only the events, one per line. Everything else goes to stderr.
type eventLines struct {
	*sink
}

func newEventLines(w io.Writer, _ Run, _ Options) Writer { return eventLines{&sink{w: w}} }

func (l eventLines) Answer(a Answer) error {
	if e, ok := a.Value.(*Event); ok && e.Text != nil {
		l.bytes(say.JSON(e.Text), []byte("\n"))
	}
	return l.err
}

func (l eventLines) Finding(finding.Finding) error { return l.err }
func (l eventLines) Fail(string) error             { return l.err }
func (l eventLines) Close(Summary) error           { return l.err }

// eventBatch writes only the events, as a CloudEvents batch (application/cloudevents-batch+json; JSON event format,
// §4).
type eventBatch struct {
	*sink
	events int
}

func newEventBatch(w io.Writer, _ Run, _ Options) Writer { return &eventBatch{sink: &sink{w: w}} }

func (b *eventBatch) Answer(a Answer) error {
	if e, ok := a.Value.(*Event); ok && e.Text != nil {
		b.text(b.separator())
		b.bytes(say.JSON(e.Text))
		b.events++
	}
	return b.err
}

// separator returns the text before the next event.
func (b *eventBatch) separator() string {
	if b.events == 0 {
		return "[\n"
	}
	return ",\n"
}

func (b *eventBatch) Finding(finding.Finding) error { return b.err }
func (b *eventBatch) Fail(string) error             { return b.err }

func (b *eventBatch) Close(Summary) error {
	if b.events == 0 {
		b.text("[")
	} else {
		b.text("\n")
	}
	b.text("]\n")
	return b.err
}
