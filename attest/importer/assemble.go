package importer

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// assemble makes the trace of its spans, which are in order.
func (im *importing) assemble(spans []*span) Trace {
	top, err := link(spans)
	if err == nil {
		w := &assembling{maker: im.newMaker(), limits: im.limits, speak: im.format.speak, scanner: im.newScanner(), said: map[*span]*told{}}
		if err = w.write(spans, top); err == nil {
			return im.made(w.maker, w.sources(im.values > 1))
		}
	}
	at := &spanFault{span: spans[0]}
	_ = errors.As(err, &at)
	refused := attest.NewError(attest.CodeInvalidTrace, err.Error(), at.detail)
	refused.Offset = int(at.begin)
	return Trace{TraceText: attest.TraceText{Raw: at.in.text, Line: at.in.line}, Refused: refused}
}

// assembling writes the trace that spans make.
type assembling struct {
	*maker
	limits  attest.Limits
	scanner *strictjson.Scanner // for spans
	speak   func(*maker, *span, strictjson.Node) told
	said    map[*span]*told
	spans   []*span // whose words are known, as the parts of the source

	recorded map[string]bool       // the ids of calls that have a span
	asked    map[string]toldCall   // calls that answers ask for
	twice    map[string]bool       // ids that several of them have
	back     map[string]toldResult // what came back, by what later answers were told
}

// sources are the spans as parts of the source.
func (w *assembling) sources(numbered bool) []part {
	parts := make([]part, len(w.spans))
	for i, s := range w.spans {
		parts[i] = part{value: s.in, start: int(s.begin), end: int(s.end), pointer: s.pointer(numbered)}
	}
	return parts
}

// pointer leads to the span: from the number of its value, where there are several.
func (s *span) pointer(numbered bool) string {
	if numbered {
		return "/" + strconv.Itoa(s.in.index) + s.place()
	}
	return s.place()
}

// level is a trace or a sub-trace: an agent, or what stands for one, with what it did.
type level struct {
	of         *span  // nil: no span tells of it
	id, parent string // of the traces
	below      []*span
	depth      int
}

func (w *assembling) write(spans, top []*span) error {
	l := level{id: spans[0].trace, below: steps(top)}
	switch {
	case len(l.below) == 1 && l.below[0].kind == agent:
		l.of = l.below[0]
		l.below = steps(l.of.children)
	case len(top) == 1 && top[0].kind == other:
		l.of = top[0]
	}
	if err := w.hear(l); err != nil {
		return err
	}
	w.join(spans)
	w.level(l)
	return nil
}

// hear reads what the spans say that the trace is made of.
func (w *assembling) hear(l level) error {
	bytes := 0
	for todo := []level{l}; len(todo) > 0; {
		l := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if l.of != nil && w.said[l.of] == nil {
			l.below = append([]*span{l.of}, l.below...)
		}
		switch {
		case l.depth > w.limits.SubTraceDepth:
			return &spanFault{
				l.of, trace.TooDeep(l.depth, w.limits.SubTraceDepth),
				fmt.Sprintf("Agents may call each other %d levels deep at most.", w.limits.SubTraceDepth),
			}
		case len(l.below) > w.limits.Steps+1:
			return &spanFault{
				l.below[0], trace.TooManySteps(len(l.below), w.limits.Steps),
				fmt.Sprintf("Record fewer spans. Max allowed: %d steps.", w.limits.Steps),
			}
		}
		for _, s := range l.below {
			if w.said[s] != nil {
				continue
			}
			if bytes += len(s.bytes()); bytes > heard*w.limits.TraceBytes {
				return &spanFault{
					s, fmt.Sprintf("trace exceeds max size: its spans take more than %d bytes", heard*w.limits.TraceBytes),
					fmt.Sprintf("Record less. Max allowed: %d bytes.", w.limits.TraceBytes),
				}
			}
			if err := w.listen(s); err != nil {
				return err
			}
			if s.kind == agent && s != l.of {
				todo = append(todo, level{of: s, below: steps(s.children), depth: l.depth + 1})
			}
		}
	}
	return nil
}

// heard is how many times the size of a trace its spans may take: they say more than it.
const heard = 2

// listen reads what a span says.
func (w *assembling) listen(s *span) error {
	doc, err := w.scanner.Scan(s.bytes())
	if err != nil {
		return &spanFault{s, "the span cannot be read: " + err.Error(), "Each span is an object of JSON."}
	}
	if w.fits(doc) {
		kept, _ := doc.Copy(nil)
		w.parts[&kept] = int32(len(w.spans))
		w.spans = append(w.spans, s)
		says := w.speak(w.maker, s, kept.Root())
		w.said[s] = &says
	}
	if w.crowded {
		return &spanFault{
			s, fmt.Sprintf("trace cannot be read: its spans have more than %d JSON values", w.limits.Values),
			"Record less, or raise --max-values.",
		}
	}
	return nil
}

// join finds the calls that answers ask for and no span tells of, and what came back.
func (w *assembling) join(spans []*span) {
	w.recorded, w.asked, w.twice, w.back = map[string]bool{}, map[string]toldCall{}, map[string]bool{}, map[string]toldResult{}
	for _, s := range spans {
		says := w.said[s]
		if says == nil {
			continue
		}
		if id, ok := says.callID.Text(); ok && s.kind == calling {
			w.recorded[id] = true
		}
		for _, c := range says.calls {
			if id, ok := c.id.Text(); ok {
				_, known := w.asked[id]
				w.twice[id] = known
				w.asked[id] = c
			}
		}
		for _, r := range says.results {
			id, _ := r.id.Text()
			if _, known := w.back[id]; !known {
				w.back[id] = r
			}
		}
	}
}
