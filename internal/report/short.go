package report

import (
	"io"
	"sync"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// short writes one line per finding, one per answer not represented by a finding, and the closing line.
type short struct {
	*sink
	paint  palette
	layout layout
	quiet  bool
	apart  bool
}

func newShort(w io.Writer, run Run, opt Options) Writer {
	paint := newPalette(opt.Color)
	if opt.Links {
		paint = paint.linked(sync.OnceValue(func() ruleIndex { return indexRules(run.KnownRules()) }))
	}
	return &short{sink: &sink{w: w}, paint: paint, layout: newLayout(run), quiet: opt.Quiet, apart: opt.Apart}
}

func (s *short) Finding(f finding.Finding) error {
	s.text(headline(s.paint, inPart(f)), "\n")
	return s.err
}

func (s *short) Answer(a Answer) error {
	if line := s.layout.brief(a); line != "" && !a.Silent && (!s.quiet || a.Weight != Good) {
		s.text(s.paint.weight(a.Weight)(line), "\n")
	}
	return s.err
}

// Fail writes nothing if stderr shows the failure.
func (s *short) Fail(message string) error {
	s.fail(s.apart, message)
	return s.err
}

func (s *short) Close(sum Summary) error {
	if sum.shown(s.quiet) {
		s.text(s.paint.weight(sum.Weight)(say.Visible(sum.Text)), "\n")
	}
	return s.err
}
