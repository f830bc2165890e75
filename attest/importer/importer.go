// Package importer converts recordings of agents to traces of the attest protocol: conversations with the APIs of
// OpenAI and Anthropic, OpenTelemetry spans with its generative AI conventions, and LangChain runs.
//
//	for trace, err := range importer.Traces(engine, file, importer.Options{}) {
//		…
//		results, err := engine.EvaluatePrepared(ctx, trace.TraceText, assertions)
//	}
//
// docs/attest-import.md describes the mapping. Values are copied unchanged, including the digits of
// numbers. Pointers of results and positions of errors refer to the input.
package importer

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Options configures an import.
type Options struct {
	From  Format // "" means Auto
	Lines bool   // the input is JSON lines, whatever its first line looks like
	Held  int    // bytes of an input that are held while its spans are gathered; 0: DefaultHeld
}

// DefaultHeld is the default limit on buffered input. Spans of one trace can be anywhere in the input, so they are
// buffered.
const DefaultHeld = 80 << 20

type Trace struct {
	attest.TraceText
	From Format   // detected format
	Also []Format // the other formats that it is as well, when it was not said which

	// Label distinguishes the traces of an input: ":7" for line 7, "#ID" for the trace_id of spans, "" for a single
	// one.
	Label string

	// Refused is the error if the value cannot be converted. Its Offset refers to Raw, the input.
	Refused *attest.Error

	Left   int // with the first trace: number of traces without an agent
	Weight int // bytes of memory that the way back into the input takes
}

type streamImporter struct {
	opt     Options
	limits  attest.Limits
	scanner *strictjson.Scanner
	yield   func(Trace, error) bool

	format   format // once it is known
	also     []Format
	known    bool
	values   int           // so far
	talking  []dialogValue // logged calls that go on with each other
	gathered spanBuffer
}

// take imports a value. It returns false to stop reading.
func (im *streamImporter) take(text attest.TraceText) bool {
	im.values++
	if im.opt.From == Attest || im.known && im.format.name == Attest {
		return im.deliver(Trace{TraceText: text, From: Attest, Also: im.also})
	}
	doc, err := im.scanner.Scan(text.Raw)
	if err != nil && text.Size <= int64(len(text.Raw)) {
		if list := sequence(text); len(list) > 1 {
			im.values--
			for _, one := range list {
				if !im.take(one) {
					return false
				}
			}
			return true
		}
	}
	if err != nil || text.Size > int64(len(text.Raw)) { // the engine says so
		return im.deliver(Trace{TraceText: text, From: im.format.name})
	}
	if im.opt.From == OTel && isFrame(doc.Root()) {
		return true
	}
	first := !im.known
	if first {
		if err := im.choose(text.Line, doc.Root()); err != nil {
			im.yield(Trace{}, err)
			return false
		}
	}
	switch {
	case im.format.name == Attest:
		return im.deliver(Trace{TraceText: text, From: Attest, Also: im.also})
	case !first && !im.format.fits(doc.Root()):
		return im.deliver(im.refused(text, im.stray(doc.Root())))
	}
	if im.format.gather != nil {
		return im.gather(text, doc)
	}
	return im.talk(text, doc)
}

// gather collects the spans of a value.
func (im *streamImporter) gather(text attest.TraceText, doc *strictjson.Document) bool {
	known := len(im.gathered.spans)
	v, err := im.gathered.hold(text, im.values-1)
	if err == nil {
		err = im.format.gather(&im.gathered, v, doc.Root())
	}
	if _, full := errors.AsType[*tooMuchError](err); full {
		im.yield(Trace{}, err)
		return false
	}
	if err != nil || len(im.gathered.spans) == known {
		im.gathered.drop(v, known)
	}
	return err == nil || im.deliver(im.refused(text, err))
}

// stray returns an error if a value is not of the format of the first value.
func (im *streamImporter) stray(root strictjson.Node) error {
	detail := "Input of that format has " + im.format.needs + "."
	for _, name := range im.also {
		if f, _ := formatOf(name); f.fits(root) {
			detail = fmt.Sprintf("This file has the format %s, like the first value: name it with --from.", name)
		}
	}
	return refuse(root, detail, "the input does not have the format %s", im.format.name)
}

func (im *streamImporter) deliver(t Trace) bool {
	if im.opt.Lines || t.Line > 1 {
		t.Label = fmt.Sprintf(":%d", t.Line)
	}
	return im.yield(t, nil)
}

// finish builds the traces of the collected spans. Traces without an agent (of other services) are omitted.
func (im *streamImporter) finish() {
	if !im.hush() {
		return
	}
	groups := im.gathered.groups()
	spans := len(im.gathered.spans)
	all := len(groups)
	groups = slices.DeleteFunc(groups, func(spans []*span) bool {
		return !slices.ContainsFunc(spans, func(s *span) bool { return s.kind != other && s.kind != setup })
	})
	if len(groups) == 0 && all > 0 {
		im.yield(Trace{}, &nothingError{spans})
		return
	}
	left := all - len(groups)
	for _, spans := range groups {
		trace := im.assemble(spans)
		trace.From, trace.Also, trace.Left = im.format.name, im.also, left
		if left = 0; len(groups) > 1 || all > 1 {
			trace.Label = "#" + say.Visible(spans[0].trace)
		}
		if !im.yield(trace, nil) {
			return
		}
	}
}

// nothingError reports that no span belongs to an agent.
type nothingError struct{ spans int }

func (e *nothingError) Error() string {
	return fmt.Sprintf("none of the spans (%d) describes a model, a tool, a retrieval or an agent", e.spans)
}

// choose detects the format of the input from its first value.
func (im *streamImporter) choose(line int, root strictjson.Node) error {
	tried := formats
	if im.opt.From != "" && im.opt.From != Auto {
		if !slices.Contains(Formats(), im.opt.From) {
			return errors.New("no such format: " + string(im.opt.From))
		}
		tried = slices.DeleteFunc(slices.Clone(formats), func(f format) bool {
			return f.name != im.opt.From && !(f.gather != nil && slices.Contains(families, im.opt.From))
		})
	}
	for _, f := range tried {
		switch {
		case !f.fits(root):
		case im.known:
			im.also = append(im.also, f.name)
		default:
			im.format, im.known = f, true
		}
	}
	if !im.known {
		return noFormat(line, tried)
	}
	return nil
}

func (im *streamImporter) newMaker() *maker {
	return &maker{
		most: im.limits.TraceBytes + 1, room: im.limits.Values, scanner: im.newScanner(),
		parts: map[*strictjson.Document]int32{}, inside: map[*strictjson.Document]strictjson.Node{},
	}
}

func (im *streamImporter) newScanner() *strictjson.Scanner {
	return scan.New(im.limits.JSONDepth, im.limits.Values)
}

// made returns the trace written by m. If it is too large, it has one byte more than the limit, so that the engine
// reports it.
func (im *streamImporter) made(m *maker, parts []part) Trace {
	size := int64(len(m.made))
	if m.full {
		size = int64(m.most)
		m.made = nil
	}
	weight := len(m.marks)*int(unsafe.Sizeof(mark{})) + len(parts)*int(unsafe.Sizeof(part{}))
	return Trace{From: im.format.name, Also: im.also, Weight: weight, TraceText: attest.TraceText{
		Raw: m.made, Size: size, Origin: &origin{marks: m.marks, parts: parts, scanner: im.newScanner},
	}}
}

// refused returns a trace with the error for a value that cannot be converted.
func (im *streamImporter) refused(text attest.TraceText, err error) Trace {
	refused := attest.NewError(attest.CodeInvalidTrace, err.Error(), "")
	var f *fault
	if errors.As(err, &f) {
		refused.Data.Detail = f.detail
		refused.Offset, _ = f.node.Span()
	}
	return Trace{TraceText: text, From: im.format.name, Also: im.also, Refused: refused}
}
