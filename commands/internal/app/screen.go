package app

import (
	"time"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/term"
)

// screen is what a run shows on a terminal: standard output, and on standard error one
// line at a time about work that lasts, which is never in the way of anything else.
type screen struct {
	advice string // the general advice given last
	env    cmdline.Env
	still  bool      // no progress
	line   *Progress // what is shown of it; nil for none
}

// begin begins a line about reading total bytes (-1: unknown). It is nil when standard
// error is not a terminal, in continuous integration, and when the flags say so.
func (s *screen) begin(label string, total int64) *Progress {
	if s.still || !term.IsTerminal(s.env.Stderr) || s.env.Getenv("CI") != "" {
		return nil
	}
	s.line = &Progress{
		to: s.env.Stderr, width: func() int { return term.Width(s.env.Stderr) },
		label: label, total: total, since: time.Now(),
	}
	return s.line
}

func (s *screen) end() { s.line.End() }

// Write writes to standard output.
func (s *screen) Write(b []byte) (int, error) {
	s.line.erase()
	return s.env.Stdout.Write(b)
}

func (s *screen) sayError(err error) {
	s.line.erase()
	s.advice = cmdline.SayFailure(s.env, err, s.advice)
}
