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
	still  bool        // no progress
	line   *statusLine // or nil
}

// plan starts a status line for the run that counts its files, of total bytes (-1: unknown).
func (s *screen) plan(files int, total int64) {
	if s.shows() {
		s.line = s.newLine("", files, total)
	}
}

// shows reports whether progress is shown: stderr is a terminal, not in CI, and it is not disabled.
func (s *screen) shows() bool {
	return !s.still && term.IsTerminal(s.env.Stderr) && s.env.Getenv("CI") == ""
}

func (s *screen) newLine(label string, files int, total int64) *statusLine {
	return &statusLine{
		to: s.env.Stderr, width: func() int { return term.Width(s.env.Stderr) },
		label: label, files: files, total: total, since: time.Now(),
	}
}

// begin starts a part of the work with total bytes (-1: unknown), or returns nil. It has its own status line if the run
// does not have one.
func (s *screen) begin(label string, files int, total int64) *Progress {
	if !s.shows() {
		return nil
	}
	if s.line == nil || s.line.files == 0 {
		s.line = s.newLine(label, 0, total)
	}
	return &Progress{line: s.line, files: files, left: total}
}

func (s *screen) end() { s.line.end() }

func (s *screen) Write(b []byte) (int, error) {
	s.line.erase()
	return s.env.Stdout.Write(b)
}

func (s *screen) sayError(err error) {
	s.line.erase()
	s.advice = cmdline.SayFailure(s.env, err, s.advice)
}
