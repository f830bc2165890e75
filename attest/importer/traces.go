package importer

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/internal/otlp"
)

// Formats lists the formats, Auto first.
func Formats() []Format {
	names := []Format{Auto}
	for _, f := range formats {
		names = append(names, f.name)
	}
	return append(append(names, "openinference", "traceloop"), agentFormats()...)
}

// Traces yields the traces of a stream of one JSON value, JSON lines, or OTLP in Protocol Buffers. Each conversation is one trace; spans and
// runs form one trace per trace id, wherever they are in the stream. The engine's limits apply to each value and
// each trace. Raw of a trace without Origin is valid until the next one. An error comes last: a read error, an
// *UnknownError if the first value has no known format, or the limit on buffered input.
func Traces(engine *attest.Engine, r io.Reader, opt Options) iter.Seq2[Trace, error] {
	return func(yield func(Trace, error) bool) {
		limits := engine.Limits()
		im := &streamImporter{opt: opt, limits: limits, scanner: scan.New(limits.JSONDepth, limits.Values), yield: yield}
		im.gathered.limit = limit{cmp.Or(opt.Held, DefaultHeld), opt.Held != 0}
		r, done := im.packed(r)
		if !done {
			r, done = im.transcripts(r)
		}
		if done {
			return
		}
		for text, err := range engine.Traces(r, opt.Lines) {
			if err != nil {
				yield(Trace{}, err)
				return
			}
			if !im.take(text) {
				return
			}
		}
		im.finish()
	}
}

// packed imports a stream of OTLP messages in Protocol Buffers, as the JSON that says the same. If it is not one, done
// is false and rest is the whole stream.
func (im *streamImporter) packed(r io.Reader) (rest io.Reader, done bool) {
	in := bufio.NewReader(r)
	if slices.Contains(agentFormats(), im.opt.From) || !otlp.Begins(in) {
		return in, false
	}
	im.opt.Lines = false
	deliver := im.yield
	im.yield = func(t Trace, err error) bool {
		if t.Refused != nil && t.Raw != nil { // the place in the input is not known, but the path is
			t.Origin = &origin{marks: marks{{copied: int32(len(t.Raw))}}, parts: []part{{value: &value{text: t.Raw}, end: len(t.Raw)}}, scanner: im.newScanner}
		}
		return deliver(t, err)
	}
	for m, err := range otlp.Messages(in, im.limits.TraceBytes) {
		text := attest.TraceText{Raw: m.JSON, Size: max(m.Size, int64(len(m.JSON)))}
		switch {
		case err != nil:
			im.yield(Trace{}, err)
			return nil, true
		case m.Damage != nil:
			refused := im.refused(text, fmt.Errorf("the input looks like OTLP in Protocol Buffers, but %w", m.Damage))
			if refused.From = OTel; !im.deliver(refused) {
				return nil, true
			}
		case !im.take(text):
			return nil, true
		}
	}
	im.finish()
	return nil, true
}
