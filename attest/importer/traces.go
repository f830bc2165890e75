package importer

import (
	"cmp"
	"io"
	"iter"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/scan"
)

// Formats lists the formats, Auto first.
func Formats() []Format {
	names := []Format{Auto}
	for _, f := range formats {
		names = append(names, f.name)
	}
	return append(append(names, "openinference", "traceloop"), agentFormats()...)
}

// Traces yields the traces of a stream of one JSON value or JSON lines. Each conversation is one trace; spans and
// runs form one trace per trace id, wherever they are in the stream. The engine's limits apply to each value and
// each trace. Raw of a trace without Origin is valid until the next one. An error comes last: a read error, an
// *UnknownError if the first value has no known format, or the limit on buffered input.
func Traces(engine *attest.Engine, r io.Reader, opt Options) iter.Seq2[Trace, error] {
	return func(yield func(Trace, error) bool) {
		limits := engine.Limits()
		im := &streamImporter{opt: opt, limits: limits, scanner: scan.New(limits.JSONDepth, limits.Values), yield: yield}
		im.gathered.most = cmp.Or(opt.Held, DefaultHeld)
		r, done := im.transcripts(r)
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
