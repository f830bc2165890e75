package importer

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/coverage"
	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

func (im *streamImporter) assemble(spans []*span) Trace {
	w := &assembler{maker: im.newMaker(), limits: im.limits, scanner: im.newScanner(), logs: im.gathered.logs, skipped: map[*span]bool{}, unfolded: map[*span][]*span{}, numbered: im.values > 1}
	if im.gathered.more != nil {
		w.losses = append(w.losses, *im.gathered.more)
	}
	err := w.write(spans)
	if err == nil {
		made := im.made(w.maker, w.sources)
		made.Coverage = w.accounted()
		return made
	}
	at := &spanFault{span: spans[0]}
	_ = errors.As(err, &at)
	refused := attest.NewError(attest.CodeInvalidTrace, err.Error(), at.detail)
	refused.Offset = int(at.begin)
	return Trace{TraceText: attest.TraceText{Raw: at.in.text, Line: at.in.line}, Refused: refused}
}

type assembler struct {
	*maker
	limits   attest.Limits
	scanner  *strictjson.Scanner // for spans
	logs     []logRecord
	numbered bool              // the input has several values
	top      []*span           // of the tree
	sources  []part            // input parts
	skipped  map[*span]bool    // agents that only call another
	unfolded map[*span][]*span // steps that were made of the messages of a span
	losses   []loss
	account  coverage.Record
}

// pointer returns the JSON pointer of the span, prefixed with the number of its value if the input has several.
func (s *span) pointer(numbered bool) string {
	return s.in.numbered(numbered) + s.place()
}

// numbered returns the JSON pointer of the value, if the input has several.
func (v *value) numbered(numbered bool) string {
	if numbered {
		return "/" + strconv.Itoa(v.index)
	}
	return ""
}

// source adds a document to the sources of the trace.
func (w *assembler) source(doc *strictjson.Document, p part) {
	w.parts[doc] = int32(len(w.sources))
	w.sources = append(w.sources, p)
}

func (w *assembler) lose(l loss) { w.losses = append(w.losses, l) }

// level is the trace or sub-trace of an agent. The root can lack an agent span.
type level struct {
	of         *span  // nil without a span
	id, parent string // of the traces
	below      []*span
	depth      int
}

func (w *assembler) write(spans []*span) error {
	w.account.Spans.Total = len(spans)
	unique, top, err := w.link(spans)
	if err != nil {
		return err
	}
	w.top = top
	if err := w.listen(unique); err != nil {
		return err
	}
	w.orphans(top)
	w.mergeSpans(unique)
	l := level{id: spans[0].trace, below: steps(top)}
	switch {
	case len(l.below) == 1 && l.below[0].kind == agent:
		l.of = w.innermost(l.below[0])
		l.below = steps(l.of.children)
	case len(top) == 1 && !top[0].kind.isStep() && top[0].says != nil:
		l.of = top[0]
	}
	w.fromMessages(&l)
	levels, err := w.levels(l)
	if err != nil {
		return err
	}
	w.joinIDs(levels)
	for _, l := range levels {
		w.joinTurns(l)
	}
	for _, l := range levels {
		w.recall(l, levels)
	}
	w.audit(levels, unique)
	w.level(l)
	return nil
}

// levels returns a level and those below it. It checks the limits on traces.
func (w *assembler) levels(l level) (list []level, err error) {
	for pending := []level{l}; len(pending) > 0; {
		l := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		list = append(list, l)
		switch {
		case l.depth > w.limits.SubTraceDepth:
			return nil, &spanFault{
				l.of, trace.TooDeep(l.depth, w.limits.SubTraceDepth),
				fmt.Sprintf("Agents may call each other %d levels deep at most.", w.limits.SubTraceDepth),
			}
		case len(l.below) > w.limits.Steps:
			return nil, &spanFault{
				l.below[0], trace.TooManySteps(len(l.below), w.limits.Steps),
				fmt.Sprintf("Record fewer spans. Max allowed: %d steps.", w.limits.Steps),
			}
		}
		for _, s := range slices.Backward(l.below) {
			if s.kind == agent {
				s = w.innermost(s)
				below := level{of: s, below: steps(s.children), depth: l.depth + 1}
				w.fromMessages(&below)
				pending = append(pending, below)
			}
		}
	}
	return list, nil
}

// heard limits the parsed size of a trace's spans, as a multiple of the trace size, because spans contain more than
// the trace.
const heard = 2

// listen parses the spans and drops those that do not concern an agent.
func (w *assembler) listen(spans []*span) error {
	w.attach(spans)
	bytes := 0
	for _, s := range spans {
		if s.kind == other {
			w.account.Spans.Foreign++
			continue
		}
		if bytes += len(s.bytes()); bytes > heard*w.limits.TraceBytes {
			return &spanFault{
				s, fmt.Sprintf("trace exceeds max size: the spans have more than %d bytes", heard*w.limits.TraceBytes),
				fmt.Sprintf("Record less. Max allowed: %d bytes.", w.limits.TraceBytes),
			}
		}
		doc, err := w.scanner.Scan(s.bytes())
		if err != nil {
			return &spanFault{s, "the span cannot be read: " + err.Error(), "Each span is a JSON object."}
		}
		if w.fits(doc) {
			kept, _ := doc.Copy(nil)
			w.source(&kept, part{value: s.in, start: int(s.begin), end: int(s.end), pointer: s.pointer(w.numbered)})
			says := s.form(w.maker, s, kept.Root())
			s.says = &says
		}
		if w.crowded {
			return &spanFault{
				s, fmt.Sprintf("trace cannot be read: the spans have more than %d JSON values", w.limits.Values),
				"Record less, or raise --max-values.",
			}
		}
	}
	return nil
}

// attach adds log records to their spans.
func (w *assembler) attach(spans []*span) {
	if len(w.logs) == 0 {
		return
	}
	byID := make(map[string]*span, len(spans))
	for _, s := range spans {
		byID[s.id] = s
	}
	for _, log := range w.logs {
		s := byID[log.span]
		if s == nil || s.trace != log.trace {
			continue
		}
		doc, err := w.scanner.Scan(log.in.text[log.begin:log.end])
		if err == nil && w.fits(doc) {
			kept, _ := doc.Copy(nil)
			s.logs = append(s.logs, kept.Root())
			w.source(&kept, part{value: log.in, start: int(log.begin), end: int(log.end), pointer: log.in.numbered(w.numbered) + log.pointer})
		}
	}
}
