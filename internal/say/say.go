// Package say contains common parts of messages, such as truncation and articles.
package say

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// Ellipsis marks truncated text.
const Ellipsis = "…"

// Preview shortens a value to most bytes and an ellipsis, without splitting characters. Invalid UTF-8 in a complete
// value becomes U+FFFD.
func Preview[T string | []byte](value T, most int) string {
	if len(value) <= most {
		return strings.ToValidUTF8(string(value), "\uFFFD")
	}
	return strings.ToValidUTF8(string(value[:most]), "") + Ellipsis
}

// Clip truncates s to n code points, including the ellipsis.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	end := 0
	for i := range s {
		if n--; n == 0 {
			end = i
		} else if n < 0 {
			return s[:end] + Ellipsis
		}
	}
	return s
}

// Article adds an article to a JSON type: "an array", "a string", "null".
func Article(noun string) string {
	switch {
	case noun == "null" || noun == "absent":
		return noun
	case strings.IndexAny(noun, "aeiou") == 0:
		return "an " + noun
	}
	return "a " + noun
}

// Usual is the default number of bytes of a previewed value.
const Usual = 60

// Quoted returns the usual preview of a value in quotes.
func Quoted(value string) string { return strconv.Quote(Preview(value, Usual)) }

// Counted formats a count: "1 error", "2 errors".
func Counted[N int | int64](number N, what string) string {
	if number != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", number, what)
}

// Omitted returns how many items exceed a limit.
func Omitted(number int, what string, limit int) string {
	if number == 1 {
		return fmt.Sprintf("1 more %s is not shown: the limit is %d", what, limit)
	}
	return fmt.Sprintf("%d more %ss are not shown: the limit is %d", number, what, limit)
}

// RaiseHint names the flag that raises a limit.
func RaiseHint(flag string) string { return "raise the limit with " + flag }

// TooLong returns the error for an oversized text.
func TooLong(bytes, limit int) string {
	return fmt.Sprintf("%d bytes are more than the limit of %d", bytes, limit)
}

// Expected returns the error for a mismatch.
func Expected(what, found, expected string) string {
	return what + " is " + found + ", expected " + expected
}

// More ends a truncated list: " and 3 more".
func More(number int) string { return " and " + strconv.Itoa(number) + " more" }

// Plain rewrites a file system error with a quoted path: `cannot open "x": permission denied`.
func Plain(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return &FileError{at.Op, at.Path, at.Err}
	}
	return err
}

// FileError is an error rewritten by Plain.
type FileError struct {
	Op, Path string
	Err      error
}

func (e *FileError) Error() string { return fmt.Sprintf("cannot %s %q: %v", e.Op, e.Path, e.Err) }

func (e *FileError) Unwrap() error { return e.Err }

// Beyond returns the error for an input that exceeds a limit.
func Beyond(limit int64, what string) string {
	return fmt.Sprintf("more than %d %s, the rest was not read", limit, what)
}

// NullIsAbsent returns the message for a null member.
func NullIsAbsent(name string) string { return name + " is null, which counts as absent" }

// LimitsHint is RaiseHint for a limit of `--limits`.
func LimitsHint(name string) string { return "raise it with --limits '{\"" + name + "\":N}'" }
