// Package cmdline handles command lines: arguments, flags, help, completion and errors. It does not
// depend on commands.
package cmdline

import (
	"context"
	"io"
	"time"
)

// Env is the environment of a run. It makes Main a function of (Env, args) for tests.
type Env struct {
	Context context.Context // cancelled by Ctrl-C
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Getenv  func(string) string
	// After replaces time.After in tests, or is nil.
	After func(time.Duration) <-chan time.Time
	// Now is the clock for durations in reports, or nil for none.
	Now func() time.Time
}
