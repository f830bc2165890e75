package input

import (
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/trace"
)

// FollowFlags returns the flags that end --follow before Ctrl-C.
func FollowFlags(category string) []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "fail-fast", Category: category, Usage: "with --follow: end at the first error, with exit code 1"},
		&cli.DurationFlag{Name: "idle", Category: category, Usage: "with --follow: end when nothing was appended for `TIME`, such as 30s; the verdict decides the exit code"},
	}
}

// sealGrace is how long to wait for a CHAIN_SEAL after SESSION_END.
const sealGrace = time.Second

// Stops decides when `--follow` stops reading a growing log, without waiting for Ctrl-C. The checker calls its
// methods while the log is read.
type Stops struct {
	failFast bool
	seal     bool         // an end of the log ends following
	idle     atomic.Int64 // maximum time without growth of the log, in nanoseconds
	failed   atomic.Bool  // end at once
	over     atomic.Bool  // the log has ended: what takes its place is not followed
}

// NewStops reads the flags. more names further flags that require --follow.
func NewStops(c *cli.Context, more ...string) (*Stops, error) {
	for _, flag := range append(more, "fail-fast", "idle") {
		if c.IsSet(flag) && !c.Bool("follow") {
			return nil, &cmdline.UsageError{Message: fmt.Sprintf("--%s says when --follow ends, but --follow is missing", flag), Hint: "add --follow, or leave --" + flag + " out"}
		}
	}
	s := &Stops{failFast: c.Bool("fail-fast"), seal: c.Bool("until-seal")}
	s.idle.Store(math.MaxInt64)
	if c.IsSet("idle") {
		idle := c.Duration("idle")
		if idle <= 0 {
			return nil, &cmdline.UsageError{Message: fmt.Sprintf("--idle is %s, expected a time above 0", idle), Hint: "for example --idle 30s"}
		}
		s.idle.Store(int64(idle))
	}
	return s, nil
}

// Error ends following at once, if the flags ask for it.
func (s *Stops) Error() {
	if s.failFast {
		s.failed.Store(true)
	}
}

// Failed reports whether an error has ended following.
func (s *Stops) Failed() bool { return s.failed.Load() }

// finished returns how a log has ended, or "" if it can continue.
func (s *Stops) finished() trace.EndReason {
	if s.over.Load() && !s.Failed() {
		return trace.Finished
	}
	return ""
}

// onEnd returns the function to call at the log's end, or nil if no flag needs it.
func (s *Stops) onEnd() func(sealed bool) {
	if !s.seal {
		return nil
	}
	return s.ended
}

// ended records that the log has an end, and whether it is sealed. Following ends after the bytes appended
// meanwhile.
func (s *Stops) ended(sealed bool) {
	grace := sealGrace
	if sealed {
		grace = followEvery
	}
	s.over.Store(true)
	s.idle.Store(min(s.idle.Load(), int64(grace)))
}

// idleFor reports whether the log has not grown for too long.
func (s *Stops) idleFor(quiet time.Duration) bool { return int64(quiet) >= s.idle.Load() }

// pause returns the interval to the next poll.
func (s *Stops) pause(quiet time.Duration) time.Duration {
	return min(followEvery, time.Duration(s.idle.Load())-quiet)
}
