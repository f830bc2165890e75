package app

import (
	"time"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/term"
)

// screen is the terminal output of a run: stdout and a status line on stderr that does not disturb it.
type screen struct {
	advice string // the general advice given last
	env    cmdline.Env
	still  bool      // no progress
	line   *Progress // status line, or nil
}

// begin starts a status line for total bytes (-1: unknown). It returns nil if stderr is not a terminal, in CI, or
// if disabled.
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

func (s *screen) Write(b []byte) (int, error) {
	s.line.erase()
	return s.env.Stdout.Write(b)
}

func (s *screen) sayError(err error) {
	s.line.erase()
	s.advice = cmdline.SayFailure(s.env, err, s.advice)
}
