package tracecmd

import (
	"errors"
	"io"

	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

// view prepares the views for an input. It returns the reader to verify.
func (v *LogVerifier) view(in walk.Input, r io.Reader, opt trace.Options) io.Reader {
	v.views = nil
	if !v.out.Shows("html") {
		return r
	}
	if v.c.Bool("follow") {
		v.views = &traceViews{bytes: in.Size, outline: func(*trace.Report) (*trace.Outline, error) { return nil, errFollowed }}
		return r
	}
	v.views, r = viewsOf(v.env.Context, v.c, in, r, opt)
	return r
}

// viewChain prepares the views for a chain.
func (v *LogVerifier) viewChain(inputs []walk.Input, opt trace.Options) {
	if !v.out.Shows("html") {
		return
	}
	v.views = &traceViews{outline: func(report *trace.Report) (*trace.Outline, error) {
		segments := make([]trace.Segment, len(inputs))
		for i, in := range inputs {
			if in.Size < 0 {
				return nil, errors.New("a segment is a pipe, which can be read only once; name files instead")
			}
			segments[i] = trace.Segment{Name: in.Name, Open: in.Open}
		}
		return trace.OutlineChain(v.env.Context, segments, report, opt)
	}}
}
