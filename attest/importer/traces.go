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

// Traces yields the traces of a stream: of one JSON value, or of JSON lines. Each value of
// a conversation makes one trace; spans and runs make one for each trace that they name,
// wherever they stand in the stream. The engine's limits on a trace hold for each value and
// for each trace that is made. Raw of a trace is valid until the next one is asked for when
// it has no Origin.
//
// The last pair carries the error when reading fails: that of the stream, an *UnknownError
// when its first value is of no format, or that more would have to be held.
func Traces(engine *attest.Engine, r io.Reader, opt Options) iter.Seq2[Trace, error] {
	return func(yield func(Trace, error) bool) {
		limits := engine.Limits()
		im := &importing{opt: opt, limits: limits, scanner: scan.New(limits.JSONDepth, limits.Values), yield: yield}
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
