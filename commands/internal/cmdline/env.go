// Package cmdline reads the command line: arguments, flags, help, completion, and what cupel says
// about mistakes. It knows no command.
package cmdline

import (
	"context"
	"io"
	"time"
)

// Env is everything a run of cupel takes from its surroundings, so that Main is a
// function of (Env, args) and a test can run any command in-process.
type Env struct {
	Context context.Context // cancelled by Ctrl-C
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Getenv  func(string) string
	// After is time.After, or what a test has in its place; nil is time.After.
	After func(time.Duration) <-chan time.Time
	// Now is the clock of reports that say how long something took; nil: they do not.
	Now func() time.Time
}
