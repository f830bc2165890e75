package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/internal/walk"
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

// badValue is the mistake of a flag's value outside a closed set.
func badValue(flag, value string, known []string) error {
	return &usageError{fmt.Sprintf("unknown value %q for --%s", value, flag), knownHint(value, known)}
}

// badOperand is the mistake of an operand outside a closed set.
func badOperand(what, value string, known []string) error {
	return &usageError{fmt.Sprintf("unknown %s %q", what, value), knownHint(value, known)}
}

// knownHint suggests the nearest of the known values, or lists them.
func knownHint(value string, known []string) string {
	if hint := suggest.Hint(value, known); hint != "" {
		return hint
	}
	return "known: " + strings.Join(known, ", ")
}

// hinted is any other failure that comes with advice.
type hinted struct {
	error
	hint string
}

func (e *hinted) Unwrap() error { return e.error }

// exitCode maps a command's result to its code and says what has not been said yet.
func exitCode(env Env, err error) int {
	switch {
	case err == nil:
		return exitYes
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, errNo):
		return exitNo
	case errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe):
		// The reader of our output went away (`cupel … | head`): nobody is left to
		// tell, and a truncated answer is no answer.
		return exitCannot
	case !errors.Is(err, errSaid):
		sayError(env, err)
	}
	return exitCannot
}

// hintOf is the advice that comes with an error, "" when there is none.
func hintOf(err error) string {
	var usage *usageError
	var advice *hinted
	var empty *walk.EmptyError
	var configured *config.Error
	switch {
	case errors.As(err, &usage):
		return usage.hint
	case errors.As(err, &advice):
		return advice.hint
	case errors.As(err, &configured):
		return configured.Hint
	case errors.As(err, &empty):
		return "--allow-empty accepts that"
	}
	return ""
}

// exitTable says what each exit code means; the help and the README show it.
var exitTable = []struct {
	code    int
	meaning string
}{
	{exitYes, "done, and the answer is good (warnings alone are good, unless --fail-on warning)"},
	{exitNo, "done, and the answer is no: a finding at error, an invalid or rejected input, a hash that differs, a hard_fail"},
	{exitCannot, "could not answer: wrong usage, unreadable input or configuration, nothing to read, an internal fault"},
	{exitInterrupted, "interrupted (Ctrl-C)"},
}

// exitCodesText is `cupel help exit-codes`.
func exitCodesText() string {
	var b strings.Builder
	b.WriteString("Exit codes, the same in every output format; 2 beats 1:\n\n")
	for _, row := range exitTable {
		fmt.Fprintf(&b, "  %-4d %s\n", row.code, row.meaning)
	}
	return b.String()
}
