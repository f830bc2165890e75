package commands

import (
	"context"
	"errors"
	"io"
	"syscall"
)

// The exit codes, the same in every output format.
const (
	exitYes         = 0   // done, the answer is good
	exitNo          = 1   // done, the answer is no
	exitCannot      = 2   // could not answer: usage, I/O, zero inputs, a bug
	exitInterrupted = 130 // Ctrl-C
)

// errNo is what a command returns when it could answer and the answer is no. The
// findings are already written; nothing more is said.
var errNo = errors.New("the answer is no")

// errSaid is what a command returns when it could not answer and has already said
// why on standard error.
var errSaid = errors.New("already reported")

// usageError is a mistake on the command line: one line of what, one of what to do.
type usageError struct {
	message string
	hint    string
}

func (e *usageError) Error() string { return e.message }

// hinted is any other failure that comes with advice.
type hinted struct {
	error
	hint string
}

func (e *hinted) Unwrap() error { return e.error }

// exitCode maps a command's result to its code and says what has not been said yet.
func exitCode(env Env, err error) int {
	var usage *usageError
	var advice *hinted
	switch {
	case err == nil:
		return exitYes
	case errors.Is(err, errNo):
		return exitNo
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe):
		// The reader of our output went away (`cupel … | head`): nobody is left to
		// tell, and a truncated answer is no answer.
		return exitCannot
	case errors.Is(err, errSaid):
	case errors.As(err, &usage):
		say(env, usage.message, usage.hint)
	case errors.As(err, &advice):
		say(env, err.Error(), advice.hint)
	default:
		say(env, err.Error(), "")
	}
	return exitCannot
}
