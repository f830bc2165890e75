package reasoning

import (
	"fmt"

	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// head checks that the header is first and unique and that all versions agree. It processes every line, even of
// rejected traces.
type head struct {
	sink    *fault.Sink
	wrapped bool
	strict  bool // no version is assumed
	state   *headState
}

type headState struct {
	Any     bool  `json:"any"`     // a record, or a line that may have been one, was read
	Header  bool  `json:"header"`  // there was a header
	Version int64 `json:"version"` // 0 as long as nothing states it
}

// unreadable processes an unreadable line, which can have been the header.
func (h *head) unreadable() { h.state.Any = true }

// header processes a header line and reports whether it is the trace's header.
func (h *head) header(r *format.Record, header *format.Header) bool {
	switch {
	case h.state.Header:
		h.reject(r, rule.HeaderDuplicate, "record", "a second trace header")
		return false
	case h.state.Any && !h.wrapped:
		h.reject(r, rule.HeaderMissing, "", "the trace header must come before all events")
	}
	h.state.Header, h.state.Any = true, true
	switch {
	case header.Version == 0:
	case h.state.Version != 0 && h.state.Version != header.Version:
		h.reject(r, rule.HeaderVersionConflict, "schema_version",
			fmt.Sprintf("the header states version %d, an event before it %d", header.Version, h.state.Version))
	default:
		h.state.Version = header.Version
	}
	return true
}

// event processes an event line. In the wrapped shape, a header or an unreadable line must precede it.
func (h *head) event(r *format.Record, e *format.Event) {
	if !h.state.Any && h.wrapped {
		h.reject(r, rule.HeaderMissing, "record", "the first line is not the trace header")
	}
	h.state.Any = true
	switch {
	case e.Version == 0:
	case h.state.Version == 0:
		h.state.Version = e.Version
	case h.state.Version != e.Version && !h.sink.SpareRejection(e.Line, e.VersionAt):
		h.sink.Reject(h.sink.Finding(&e.Where, rule.HeaderVersionConflict, "schema_version", e.VersionAt,
			fmt.Sprintf("the event states version %d, the trace before it %d", e.Version, h.state.Version)))
	}
}

// reject adds a structural fault, or only counts it beyond the limit.
func (h *head) reject(r *format.Record, id rule.ID, path, message string) {
	if !h.sink.SpareRejection(r.Line, r.At) {
		h.sink.Reject(h.sink.At(r.Line, id, path, r.At, message))
	}
}

// finish reports a flat trace without a version.
func (h *head) finish() {
	if h.wrapped || h.state.Version != 0 {
		return
	}
	f := rule.VersionAssumed.New("the trace states no version: 1 is assumed")
	f.Line, f.Path = 1, "trace_schema_version"
	switch {
	case h.strict:
		f.Message = "the trace states no version, and --strict assumes none"
		h.sink.Reject(f)
	case !h.sink.Rejected():
		h.sink.Add(f)
	}
}
