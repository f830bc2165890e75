package evidence

import (
	"fmt"

	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// Form checks the syntax of citations. It has no state.
type Form struct{ sink *fault.Sink }

// NewForm returns the part.
func NewForm(sink *fault.Sink) *Form { return &Form{sink} }

func (p *Form) Take(e *format.Event) {
	if e.Kind == format.ClaimEmitted {
		for i := range e.Claim.Cited {
			p.check(e, &e.Claim.Cited[i])
		}
	}
}

func (p *Form) Finish() error { return nil }

func (p *Form) check(e *format.Event, s *format.Support) {
	if !s.Span.Sound() {
		malformed(p.sink, e, s.Path(p.sink, "span"), s.Span)
	}
	if !s.Snippet.Valid { // the path is spelled out only for a fault
		checkHash(p.sink, e, s.Path(p.sink, "snippet_sha256"), &s.Snippet)
	}
	if !s.KnownAlgo() {
		p.sink.Event(&e.Where, rule.HashAlgoUnsupported, s.Path(p.sink, "hash_algo"), s.Algo.At, fmt.Sprintf("hash algorithm %q is not supported", fault.Preview(s.Algo.Bytes)),
			fault.Compared("sha256", fault.Preview(s.Algo.Bytes)))
	}
	switch s.Target {
	case format.CitesClaim, format.CitesCall:
		p.sink.Event(&e.Where, rule.SupportHashNotCheckable, s.Path(p.sink, ""), s.At, fmt.Sprintf("a support of kind %q has no bytes: its hash is not checked", s.Kind.Bytes))
	case format.CitesUnknown:
		p.sink.Event(&e.Where, rule.SupportKindUnknown, s.Path(p.sink, "kind"), s.Kind.At, fmt.Sprintf("unknown support kind %q", fault.Preview(s.Kind.Bytes)),
			fault.Compared("claim, evidence or tool_call", fault.Preview(s.Kind.Bytes)))
	}
}

func malformed(sink *fault.Sink, e *format.Event, path string, s format.Span) {
	sink.Event(&e.Where, rule.SpanMalformed, path, s.At, fmt.Sprintf("span [%d,%d] is not a range of bytes", s.From, s.To),
		fault.Compared("0 <= start < end", fmt.Sprintf("[%d,%d]", s.From, s.To)))
}

// checkHash demands 64 lower-case hexadecimal digits.
func checkHash(sink *fault.Sink, e *format.Event, path string, h *format.Hash) {
	if !h.Valid {
		sink.Event(&e.Where, rule.HashFormat, path, h.At, fmt.Sprintf("%q is not a SHA-256", fault.Preview(h.Bytes)),
			fault.Compared("64 lower-case hexadecimal digits", fault.Preview(h.Bytes)))
	}
}
