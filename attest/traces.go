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
	Raw  []byte // valid until the next trace is asked for
	Line int    // the line on which Raw begins, 1-based
	Size int64  // of the whole trace; more than len(Raw) when it exceeds the limit

	Origin Origin // what Raw was made of; nil: it is what was read

	// Coverage says how much of what Raw was made of was read; nil: all of it. What is lost makes
	// assertions about absence unanswerable.
	Coverage *Coverage
}

// Coverage is the account of an import.
type Coverage = coverage.Record

// Loss is something that the record of an import lost.
type Loss = coverage.Loss

// Origin leads from a trace that was made of another text into that text. Package
// attest/importer makes such traces. The methods are given the byte of the trace at which
// a value begins.
type Origin interface {
	// Pointer is the RFC 6901 pointer of what the value was made of.
	Pointer(offset int) string
	// Place is where that stands: at a byte of a text that begins on a line of its file.
	Place(offset int) (text []byte, line, at int)
}

// Traces yields the traces of a stream: one on each line (JSON lines), or a single
// one that takes several lines. Blank lines and a byte order mark do not count. A
// stream is JSON lines when lines says so or when its first line is a JSON value of
// its own. Memory is bounded by the limit on a trace, however many there are. The last
// pair carries the error when reading fails.
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

// surroundings is the white space around a trace that does not count to its size.
const surroundings = 64 << 10

// traceStream tells JSON lines from a trace that takes several lines.
type traceStream struct {
	engine *Engine
	lines  bool      // JSON lines
	whole  TraceText // what has been read of a trace of several lines
}

// add takes over a line and returns the trace that it completes, if it does.
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

// append adds a line to the trace that takes several; beyond the limit it only counts.
func (s *traceStream) append(line source.Line) {
	s.whole.Size += line.Size + 1
	if s.whole.Size <= int64(s.engine.opt.Limits.TraceBytes+surroundings) {
		s.whole.Raw = append(append(s.whole.Raw, line.Bytes...), '\n')
	}
}

// complete says whether a line is a trace of its own: it is JSON, or it is wrong in
// itself, but not the beginning of something that goes on behind the line.
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

// withText reads and validates a trace that stands alone and hands it to use, which must
// not keep it.
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
	reader.Lax = reader.Lax || text.Coverage != nil // an importer keeps what it does not know as a step of the type unknown
	if err := w.read(&reader, doc.Root()); err != nil {
		return err
	}
	w.origin = text.Origin
	w.subject.Imported(text.Coverage, e.opt.AllowIncomplete)
	return use(w)
}
