package session

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// errChanged says that a line is not what a summary tells of it.
var errChanged = errors.New("the log changed since it was summarised")

// rereader reads lines again that findings quote.
type rereader struct {
	recall  func(offset int64, size int) ([]byte, error)
	scanner *strictjson.Scanner
	worker  worker
}

// newRereader returns a rereader of a log of the checker's family.
func (c *Checker) newRereader() *rereader {
	readers := []reader{&fieldReader{c.env}, detailReader{}}
	if c.env.tables {
		readers = append(readers, &toolReader{})
	}
	return &rereader{
		scanner: strictjson.NewScanner(strictjson.Limits{
			TextBytes: c.limits.LineBytes + 1, Depth: c.limits.Depth, Keys: c.limits.Keys, Values: c.limits.Values,
		}),
		worker: worker{
			shape:   shapeReader{env: c.env, required: c.env.required(), notes: newNoteMemory(c.keys)},
			readers: readers,
			fresh:   func() *batch { return &batch{findings: stream.NewFindings(0)} },
		},
	}
}

// line reads the line of an event at an offset of the log.
func (r *rereader) line(e *event, offset int64, size int) error {
	text, err := r.recall(offset, size)
	if err != nil {
		return err
	}
	return r.take(e, offset, text)
}

// noted reads the line that a note is about.
func (r *rereader) noted(e *event, n *noteEntry, begin int64) error {
	offset := begin + n.line.offset
	text, err := r.recall(offset, n.line.size)
	if err != nil {
		return err
	}
	e.line, e.told = source.Line{Number: e.line.Number, Offset: offset, Bytes: text, Size: int64(len(text)), Terminated: true}.Indexed(), nil
	if idSumOf(n.text(e)) != n.sum {
		return fmt.Errorf("line %d: %w", e.line.Number, errChanged)
	}
	return nil
}

// lineOf reads line i of a stretch of the log.
func (r *rereader) lineOf(e *event, i int, offset int64, size int) error {
	text, err := r.recall(offset, size)
	if err != nil {
		return err
	}
	for ; i > 0; i-- {
		end := bytes.IndexByte(text, '\n') + 1
		text, offset = text[end:], offset+int64(end)
	}
	text, _, _ = bytes.Cut(text, []byte{'\n'})
	return r.take(e, offset, bytes.TrimSuffix(text, []byte{'\r'}))
}

// take reads an event again of which all is known but its line.
func (r *rereader) take(e *event, offset int64, text []byte) error {
	line := source.Line{Number: e.line.Number, Offset: offset, Bytes: text, Size: int64(len(text)), Terminated: true}.Indexed()
	again, ok := r.event(line)
	called := e.tool.id != toolID{}
	if !ok || again.lost != (loss{}) || again.hash != e.hash || again.prev != e.prev || e.kind != 0 && e.kind != again.kind || called && e.tool.id != again.tool.id {
		return fmt.Errorf("line %d: %w", line.Number, errChanged)
	}
	e.line, e.spans, e.bent, e.told, e.detail = line, again.spans, again.bent, nil, again.detail
	if called {
		e.tool = again.tool
	}
	return nil
}

func (r *rereader) event(line source.Line) (event, bool) {
	doc, err := r.scanner.Scan(line.Bytes)
	if err != nil || !doc.Root().Is(strictjson.Object) {
		return event{}, false
	}
	r.worker.Line(line, doc)
	e := r.worker.batch.events[0]
	r.worker.batch = nil
	return e, true
}
