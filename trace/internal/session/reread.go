package session

import (
	"bytes"
	"errors"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// ErrChanged means that a line differs from its summary.
var ErrChanged = errors.New("the log changed since it was summarized")

// rereader reads lines again, to quote them in findings.
type rereader struct {
	recall  func(offset int64, size int) ([]byte, error)
	scanner *strictjson.Scanner
	worker  worker
	keys    siphash.Key // of ids
}

// newRereader returns a rereader for findings on a log of the checker's family.
func (c *Checker) newRereader() *rereader {
	var more []reader
	if c.env.tables {
		more = append(more, &toolReader{sums: true})
	}
	if c.env.chained {
		more = append(more, &idReader{sums: true})
	}
	r := newRereader(c.env, c.limits, more...)
	if c.env.chained {
		r.worker.hashes = c.hashReader(Fast, nil)
		r.worker.readers = append(r.worker.readers, r.worker.hashes)
	}
	r.keys = c.keys
	return r
}

// newRereader returns a rereader for the members that parts need, and for those of the readers in more.
func newRereader(env *envelope, limits stream.Limits, more ...reader) *rereader {
	return &rereader{
		scanner: strictjson.NewScanner(strictjson.Limits{
			TextBytes: limits.LineBytes + 1, Depth: limits.Depth, Keys: limits.Keys, Values: limits.Values,
		}),
		worker: worker{
			shape:   shapeReader{env: env, required: env.required()},
			readers: append([]reader{&fieldReader{env: env}, detailReader{}}, more...),
			fresh:   func() *batch { return &batch{batchFindings: batchFindings{findings: stream.NewFindings(0)}} },
		},
	}
}

// line rereads an event's line at an offset of the log.
func (r *rereader) line(e *event, offset int64, size int) error {
	text, err := r.recall(offset, size)
	if err != nil {
		return err
	}
	return r.take(e, offset, text)
}

func (r *rereader) noted(e *event, n *noteEntry, begin int64) error {
	offset := begin + n.line.offset
	text, err := r.recall(offset, n.line.size)
	if err != nil {
		return err
	}
	e.line, e.told = source.Line{Number: e.line.Number, Offset: offset, Bytes: text, Size: int64(len(text)), Terminated: true}.Indexed(), nil
	if sum, _ := idSumOf(n.text(e)); sum != n.sum {
		return changed(e.line)
	}
	return nil
}

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

func (r *rereader) take(e *event, offset int64, text []byte) error {
	line := source.Line{Number: e.line.Number, Offset: offset, Bytes: text, Size: int64(len(text)), Terminated: true}.Indexed()
	again, ok := r.event(line)
	called := e.tool.id != toolID{}
	if !ok || !r.same(e, &again) || called && e.tool.id != again.tool.id {
		return changed(line)
	}
	e.fill(line, &again)
	return nil
}

func (r *rereader) again(e *event, line source.Line) error {
	again, ok := r.event(line)
	if !ok {
		return changed(line)
	}
	e.fill(line, &again)
	return nil
}

// fill completes an event with the data of its reread line.
func (e *event) fill(line source.Line, again *event) {
	e.line, e.spans, e.bent, e.told, e.detail = line, again.spans, again.bent, nil, again.detail
	if e.tool.id != (toolID{}) {
		e.tool = again.tool
	}
}

// same reports whether a reread line matches the known data of an event.
func (r *rereader) same(e, again *event) bool {
	switch {
	case again.lost != (loss{}), again.broken != e.broken:
	case e.hash != unknown && e.hash != again.hash, e.prev != unknown && e.prev != again.prev:
	case e.kind != 0 && e.kind != again.kind:
	default:
		return e.id == 0 || e.id == again.idSum.key(r.keys)
	}
	return false
}

func changed(line source.Line) error { return source.AtLine(line.Number, ErrChanged) }

func (r *rereader) hashes(of *run, offset int64, size int) (list []digest.Sum, err error) {
	text, err := r.recall(offset, size)
	if err != nil {
		return nil, err
	}
	before := of.prev
	for i := range of.n {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte{'\n'})
		at := source.Line{Number: of.line + i, Bytes: bytes.TrimSuffix(line, []byte{'\r'})}.Indexed()
		e, ok := r.event(at)
		if !ok || e.lost != (loss{}) || !e.hash.proper || e.prev != before {
			return nil, changed(at)
		}
		list, before = append(list, e.hash.Sum), e.hash
	}
	return list, nil
}

func (r *rereader) event(line source.Line) (event, bool) {
	doc, err := r.scanner.Scan(line.Bytes)
	if err != nil || !doc.Root().Is(strictjson.Object) {
		return event{}, false
	}
	r.worker.Line(line, doc)
	r.worker.settle()
	e := r.worker.batch.events[0]
	r.worker.batch = nil
	return e, true
}
