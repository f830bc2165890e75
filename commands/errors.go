package commands

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
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
	return &usageError{fmt.Sprintf("unknown value %q for --%s", value, flag), suggest.HintOrKnown(value, known)}
}

// badOperand is the mistake of giving an operand outside a closed set.
func badOperand(what, value string, known []string) error {
	return &usageError{fmt.Sprintf("unknown %s %q", what, value), suggest.HintOrKnown(value, known)}
}

// hinted is any other failure that comes with advice.
type hinted struct {
	err  error
	hint string
}

func (e *hinted) Error() string { return e.err.Error() }

func (e *hinted) Unwrap() error { return e.err }

// inFindings is a failure whose reasons are reported as findings in their places. A person reads
// them there, so standard error has only what follows from them; documents without findings
// have the whole error.
type inFindings struct {
	err  error
	what string // in short
}

func (e *inFindings) Error() string { return e.err.Error() }

func (e *inFindings) Unwrap() error { return e.err }

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
	case errors.As(err, &empty) && empty.Wanted != nil:
		return "a file that is named is read, whatever its name; " + allowEmptyHint
	case errors.As(err, &empty):
		return allowEmptyHint
	}
	return absentHint(err)
}

// sayError prints an error with the advice that it carries.
func sayError(env Env, err error) {
	message := worded(err)
	if short, ok := errors.AsType[*inFindings](err); ok {
		message = short.what
	}
	printError(env, message, hintOf(err))
}

// worded is the message of an error. One of the file system that comes as it is, such as that of
// standard output, has the words of package say.
func worded(err error) string {
	if at, ok := errors.AsType[*fs.PathError](err); ok && at.Error() == err.Error() {
		return say.Plain(at).Error()
	}
	return err.Error()
}

// Advice that several mistakes come with.
const (
	allowEmptyHint   = "--allow-empty accepts that"
	leaveOneHint     = "leave one of them out"
	skipBadLinesHint = "--skip-bad-lines leaves such lines out"
)

// noFindingsAsked is the mistake of asking for an answer without its reasons.
func noFindingsAsked() error {
	return &usageError{"--max-findings is 0, which would report nothing", "-1 reports all findings; --quiet leaves out what is good"}
}

// noEventsIn is the failure of an input that could not be what was meant.
func noEventsIn(input string) error {
	return &hinted{fmt.Errorf("no events in %q", input), allowEmptyHint}
}

// isThere refuses to write over a file.
func isThere(name, hint string) error { return &hinted{fmt.Errorf("%q is there already", name), hint} }

// isFolder refuses a folder in the place of a file.
func isFolder(name string) error { return fmt.Errorf("%q is a folder, expected a file", name) }

// unpackHint is what makes a plain file of a compressed one.
func unpackHint(packed *source.CompressedError) string {
	return fmt.Sprintf("unpack it first: `%s FILE > PLAIN`", packed.Unpack)
}

// outOfRange is the mistake of giving a flag a number outside its range.
func outOfRange(flag string, n, most int) error {
	return &usageError{fmt.Sprintf("invalid value %d for --%s", n, flag), fmt.Sprintf("give a number from 1 to %d", most)}
}

// unread names what cannot be read.
func unread(what string, why error) error { return fmt.Errorf("cannot read %s: %w", what, why) }
