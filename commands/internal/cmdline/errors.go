package cmdline

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/internal/unpack"
	"github.com/cupel-dev/cupel/internal/walk"
)

// UsageError is a usage error: a message and a hint.
type UsageError struct {
	Message string
	Hint    string
}

func (e *UsageError) Error() string { return e.Message }

// BadValue returns the mistake of giving a flag a value outside a closed set.
func BadValue(flag, value string, known []string) error {
	return &UsageError{fmt.Sprintf("unknown value %q for --%s", value, flag), suggest.HintOrKnown(value, known)}
}

// DigestValue parses a SHA-256 in a flag, with or without its prefix. hint says where to find one.
func DigestValue(flag, value, hint string) (digest.Sum, error) {
	sum, ok := digest.Parse([]byte(digest.Prefix + strings.ToLower(strings.TrimPrefix(value, digest.Prefix))))
	if !ok {
		return sum, &UsageError{Message: fmt.Sprintf("--%s is %q, expected 64 hexadecimal digits", flag, value), Hint: hint}
	}
	return sum, nil
}

// BadOperand returns the mistake of giving an operand outside a closed set.
func BadOperand(what, value string, known []string) error {
	return &UsageError{fmt.Sprintf("unknown %s %q", what, value), suggest.HintOrKnown(value, known)}
}

// Hinted is an error with a hint.
type Hinted struct {
	Err  error
	Hint string
}

func (e *Hinted) Error() string { return e.Err.Error() }

func (e *Hinted) Unwrap() error { return e.Err }

// InFindings is a failure whose reasons are reported as findings. stderr shows only the consequence; documents
// without findings have the whole error.
type InFindings struct {
	Err  error
	What string // in short
}

func (e *InFindings) Error() string { return e.Err.Error() }

func (e *InFindings) Unwrap() error { return e.Err }

// HintOf returns the hint of an error, or "".
func HintOf(err error) string {
	var usage *UsageError
	var advice *Hinted
	var empty *walk.EmptyError
	var configured *config.Error
	var refused *door.RefusedError
	var packed *source.CompressedError
	switch {
	case errors.As(err, &usage):
		return usage.Hint
	case errors.As(err, &advice):
		return advice.Hint
	case errors.As(err, &configured):
		return configured.Hint
	case errors.As(err, &packed):
		return fmt.Sprintf("`%s FILE | cupel … -` reads its content", packed.Unpack)
	case packedHint(err) != "":
		return packedHint(err)
	case errors.As(err, &refused):
		return "name the link or the pipe itself: in a folder, and with --changed, cupel reads only regular files"
	case errors.As(err, &empty) && empty.Excluded > 0:
		return "name the file to read it anyway; --config= ignores cupel.yaml"
	case errors.As(err, &empty) && empty.Wanted != nil:
		return "name a file to read it regardless of its extension; " + AllowEmptyHint
	case errors.As(err, &empty):
		return AllowEmptyHint
	}
	return absentHint(err)
}

// GeneralHint returns the hint for an error that does not have one.
func GeneralHint(err error) string {
	var usage *UsageError
	var absent *walk.AbsentError
	switch {
	case errors.As(err, &usage):
		return "`cupel help COMMAND` lists the flags of a command and their values"
	case errors.Is(err, fs.ErrPermission):
		return "`ls -ld PATH` shows who has access; give it to the user that runs cupel"
	case errors.As(err, &absent), errors.Is(err, fs.ErrNotExist):
		return "check the spelling; a relative name starts in the current folder"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EFBIG), errors.Is(err, syscall.EROFS):
		return "`df -h PATH` shows the room on a disk; write to another one, or make room"
	}
	return "`cupel help troubleshooting` explains errors and what to do about them"
}

// SayError prints an error with its hint or a general one.
func SayError(env Env, err error) { SayFailure(env, err, "") }

// SayFailure is SayError, except that it does not repeat the general hint last. It returns the general hint printed
// last.
func SayFailure(env Env, err error, last string) string {
	message := worded(err)
	if short, ok := errors.AsType[*InFindings](err); ok {
		message = short.What
	}
	if none, ok := errors.AsType[*noCommandError](err); ok {
		fmt.Fprintf(env.Stderr, "%s\n", none.help)
	}
	advice := HintOf(err)
	if general := GeneralHint(err); advice == "" && general != last {
		advice, last = general, general
	}
	PrintError(env, message, advice)
	return last
}

// worded returns an error's message; file system errors are worded by package say.
func worded(err error) string {
	if at, ok := errors.AsType[*fs.PathError](err); ok && at.Error() == err.Error() {
		return say.Plain(at).Error()
	}
	return err.Error()
}

// Hints for several errors.
const (
	AllowEmptyHint   = "use --allow-empty to accept that"
	LeaveOneHint     = "leave one of them out"
	SkipBadLinesHint = "use --skip-bad-lines to skip such lines"
)

// NoFindingsAsked returns the error for requesting an answer without its reasons.
func NoFindingsAsked() error {
	return &UsageError{"--max-findings is 0, which would report nothing", "-1 reports all findings; --quiet leaves out valid inputs"}
}

// NoEventsIn returns the error for an input without events.
func NoEventsIn(input string) error {
	return &Hinted{fmt.Errorf("%q has no events", input), AllowEmptyHint}
}

// IsThere returns the error for a file that exists already.
func IsThere(name, hint string) error { return &Hinted{fmt.Errorf("%q exists already", name), hint} }

// IsFolder returns the error for a folder given instead of a file.
func IsFolder(name string) error { return fmt.Errorf("%q is a folder, expected a file", name) }

// UnpackHint returns the command that decompresses a file.
func UnpackHint(packed *source.CompressedError) string {
	return fmt.Sprintf("unpack it first: `%s FILE > PLAIN`", packed.Unpack)
}

// OutOfRange returns the error for a number outside of a flag's range.
func OutOfRange(flag string, n, most int) error {
	return &UsageError{fmt.Sprintf("invalid value %d for --%s", n, flag), fmt.Sprintf("give a number from 1 to %d", most)}
}

// Unread returns the error for something that cannot be read.
func Unread(what string, why error) error { return fmt.Errorf("cannot read %s: %w", what, why) }

// CannotStart returns the error for a program that cannot be started.
func CannotStart(program string, why error) error {
	return fmt.Errorf("cannot start %s: %w", program, why)
}

// packedHint returns the hint about an unreadable compressed input, or "".
func packedHint(err error) string {
	var limit *unpack.LimitError
	var damage *unpack.DamageError
	var window *unpack.WindowError
	var dictionary *unpack.DictionaryError
	switch {
	case errors.As(err, &limit):
		return say.RaiseHint("--max-decoded")
	case errors.As(err, &damage):
		if damage.Format == source.InspectLog {
			return "`inspect log recover FILE` makes a log of the samples of a run that crashed"
		}
		return "copy the file again from its source; `" + damage.Format + " -t FILE` tests whether it is intact"
	case errors.As(err, &window):
		return "`zstd -dc --long=31 FILE | cupel … -` reads its content"
	case errors.As(err, &dictionary):
		return "`zstd -dc -D DICTIONARY FILE | cupel … -` reads its content"
	}
	return ""
}

// IsEmpty reports whether an error means that a folder or pattern has no inputs.
func IsEmpty(err error) bool {
	empty, ok := errors.AsType[*walk.EmptyError](err)
	return ok && !empty.Gone
}
