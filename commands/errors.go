package commands

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/internal/walk"
)

// usageError is a mistake on the command line: one line that says what is wrong, and one
// that says what to do.
type usageError struct {
	message string
	hint    string
}

func (e *usageError) Error() string { return e.message }

// badValue is the mistake of giving a flag a value outside a closed set.
func badValue(flag, value string, known []string) error {
	return &usageError{fmt.Sprintf("unknown value %q for --%s", value, flag), knownHint(value, known)}
}

// badOperand is the mistake of giving an operand outside a closed set.
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

// inFindings is a failure whose reasons are reported as findings in their places. A person reads
// them there, so standard error has only what follows from them; documents without findings
// have the whole error.
type inFindings struct {
	error
	what string // in short
}

func (e *inFindings) Unwrap() error { return e.error }

// hintOf is the advice that comes with an error, "" when there is none.
func hintOf(err error) string {
	var usage *usageError
	var advice *hinted
	var empty *walk.EmptyError
	var configured *config.Error
	var refused *door.RefusedError
	var packed *source.CompressedError
	switch {
	case errors.As(err, &usage):
		return usage.hint
	case errors.As(err, &advice):
		return advice.hint
	case errors.As(err, &configured):
		return configured.Hint
	case errors.As(err, &packed):
		return fmt.Sprintf("`%s FILE | cupel … -` reads what is in it", packed.Unpack)
	case packedHint(err) != "":
		return packedHint(err)
	case errors.As(err, &refused):
		return "what a folder or --changed leads to is read when it is a regular file inside the folder; any other operand may be a link or a pipe"
	case errors.As(err, &empty) && empty.Excluded > 0:
		return "a file that is named is read; --config= heeds no cupel.yaml"
	case errors.As(err, &empty):
		return "--allow-empty accepts that"
	}
	return ""
}

// sayError prints an error with the advice that it carries.
func sayError(env Env, err error) {
	message := err.Error()
	if short, ok := errors.AsType[*inFindings](err); ok {
		message = short.what
	}
	printError(env, message, hintOf(err))
}
