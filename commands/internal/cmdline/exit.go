package cmdline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
)

// The exit codes, the same in every output format.
const (
	ExitYes         = 0   // done, the answer is good
	ExitNo          = 1   // problems found
	ExitCannot      = 2   // could not answer: usage, I/O, zero inputs, a bug
	ExitInterrupted = 130 // Ctrl-C
)

// ErrNo is returned for exit code 1. The findings are already written.
var ErrNo = errors.New("the answer is no")

// ExitStatus is returned by a command that ran another program, to exit like it.
type ExitStatus int

func (s ExitStatus) Error() string { return fmt.Sprintf("the program ended with exit code %d", int(s)) }

// ErrSaid is returned after a failure that was already reported on stderr.
var ErrSaid = errors.New("already reported")

// ExitCode returns the exit code for a command's result and prints errors that were not printed yet.
func ExitCode(env Env, err error) int {
	var status ExitStatus
	switch {
	case err == nil:
		return ExitYes
	case errors.As(err, &status):
		return int(status)
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	case errors.Is(err, ErrNo):
		return ExitNo
	case Unheard(err): // a truncated answer is not an answer
		return ExitCannot
	case !errors.Is(err, ErrSaid):
		SayError(env, err)
	}
	return ExitCannot
}

// Unheard reports whether an error means that nobody reads the output (`cupel … | head`).
func Unheard(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// exitTable describes the exit codes for the help and the README.
var exitTable = []struct {
	code    int
	meaning string
}{
	{ExitYes, "no problems found (warnings alone pass, unless --fail-on warning)"},
	{ExitNo, "problems found: a finding at error, an invalid or rejected input, a hash mismatch, a hard_fail, an exploited agent"},
	{ExitCannot, "error: wrong usage, unreadable input or configuration, nothing to read, an internal fault"},
	{ExitInterrupted, "interrupted by Ctrl-C (with --follow, only if more than 16 MiB are unread: else the verdict decides)"},
}

func exitCodesText() string {
	var b strings.Builder
	b.WriteString("Exit codes, the same in every output format. If several apply, the highest of 0, 1 and 2 wins:\n\n")
	for _, row := range exitTable {
		fmt.Fprintf(&b, "  %-4d %s\n", row.code, row.meaning)
	}
	return b.String()
}
