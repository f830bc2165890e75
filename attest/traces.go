package attest

import (
	"bytes"
	"errors"
	"io"
	"iter"

	"github.com/cupel-dev/cupel/attest/internal/coverage"
	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// TraceText is one trace of a stream.
type TraceText struct {
	Raw  []byte // valid until the next trace
	Line int    // first line of Raw, 1-based
	Size int64  // whole trace; larger than len(Raw) beyond the limit

	Origin Origin // source of Raw; nil: as read

	// Coverage describes what an import lost, or is nil. Losses make assertions about absence unanswerable.
	Coverage *Coverage
}

type Coverage = coverage.Record

// Loss is data lost by an import.
type Loss = coverage.Loss

// Origin maps a converted trace to its source text (see package attest/importer). An offset is the start of a value
// in the trace.
type Origin interface {
	// Pointer returns the JSON pointer (RFC 6901) of the value in its source.
	Pointer(offset int) string
	// Place returns the position of the value in its source.
	Place(offset int) (text []byte, line, at int)
}

// Traces yields the traces of a stream: one per line, or a single trace over several lines. The stream is JSON
// lines if lines is set or the first line is a complete JSON value. Blank lines and a byte order mark are ignored.
// Memory is bounded by the trace limit. A read error comes last.
func (e *Engine) Traces(r io.Reader, lines bool) iter.Seq2[TraceText, error] {
	return func(yield func(TraceText, error) bool) {
		s := traceStream{engine: e, lines: lines}
		for line, err := range source.NewReader(r, e.opt.Limits.TraceBytes+surroundings).All() {
			if err != nil {
				yield(TraceText{}, err)
				return
			}
			if text, ready := s.add(line); ready && !yield(text, nil) {
				return
			}
		}
		if s.whole.Raw != nil {
			yield(s.whole, nil)
		}
	}
}

// surroundings limits the white space around a trace, which does not count towards its size.
const surroundings = 64 << 10

// traceStream splits a stream into traces, see Traces.
type traceStream struct {
	engine *Engine
	lines  bool      // JSON lines
	whole  TraceText // partial multi-line trace
}

// add processes a line and returns the trace that it completes, if any.
func (s *traceStream) add(line source.Line) (TraceText, bool) {
	if mark := []byte("\ufeff"); line.Number == 1 && bytes.HasPrefix(line.Bytes, mark) {
		line.Bytes, line.Size = line.Bytes[len(mark):], line.Size-int64(len(mark))
	}
	switch {
	case s.whole.Raw != nil:
		s.append(line)
		return TraceText{}, false
	case line.Blank():
		return TraceText{}, false
	case s.lines || line.Long || s.complete(line.Bytes):
		s.lines = true
		return TraceText{Raw: line.Bytes, Line: line.Number, Size: line.Size}, true
	}
	s.whole.Line = line.Number
	s.append(line)
	return TraceText{}, false
}

// append adds a line to a trace over several lines. Beyond the limit it only counts bytes.
func (s *traceStream) append(line source.Line) {
	s.whole.Size += line.Size + 1
	if s.whole.Size <= int64(s.engine.opt.Limits.TraceBytes+surroundings) {
		s.whole.Raw = append(append(s.whole.Raw, line.Bytes...), '\n')
	}
}

// complete reports whether a line is a separate trace: valid JSON, or malformed in another way than by ending
// early.
func (s *traceStream) complete(line []byte) bool {
	_, err := scan.New(s.engine.opt.Limits.JSONDepth, s.engine.opt.Limits.Values).Scan(line)
	refused := (*strictjson.Error)(nil)
	line = bytes.TrimSpace(line)
	object := bytes.HasPrefix(line, []byte("{")) && bytes.HasSuffix(line, []byte("}"))
	return !errors.As(err, &refused) || refused.Code != strictjson.Truncated && object
}

// ValidateText is ValidateTrace for a trace of a stream.
func (e *Engine) ValidateText(text TraceText) error {
	return e.withText(text, func(*workspace) error { return nil })
}

// withText validates a trace and passes it to use, which must not keep it.
func (e *Engine) withText(text TraceText, use func(*workspace) error) error {
	if text.Size > int64(len(text.Raw)) {
		return traceError(trace.TooLarge(strictjson.Node{}, int(text.Size), e.opt.Limits.TraceBytes))
	}
	w := e.workspaces.get()
	doc, err := w.scanner.Scan(text.Raw)
	if err != nil {
		return scanError(scan.Trace(err, e.opt.Limits.JSONDepth))
	}
	defer e.release(w, doc)
	reader := e.reader
	reader.Lax = reader.Lax || text.Coverage != nil // importers keep unknown steps with the type unknown
	if err := w.read(&reader, doc.Root()); err != nil {
		return err
	}
	w.origin = text.Origin
	w.subject.Imported(text.Coverage, e.opt.AllowIncomplete)
	return use(w)
}
