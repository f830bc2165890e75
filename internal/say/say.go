// Package say holds the words that the messages of all packages share: how a long value is
// cut, and which article a noun takes.
package say

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// Ellipsis stands where a text was cut.
const Ellipsis = "…"

// Preview is a value as a message repeats it: its first bytes, at most most of them, and
// an ellipsis when there are more. A character that the cut falls into is left out; what
// is not UTF-8 in a value that is shown whole becomes U+FFFD.
func Preview[T string | []byte](value T, most int) string {
	if len(value) <= most {
		return strings.ToValidUTF8(string(value), "\uFFFD")
	}
	return strings.ToValidUTF8(string(value[:most]), "") + Ellipsis
}

// Clip is Preview for texts whose length is counted in code points: it shortens s to n
// of them, the last of which is the ellipsis when something is missing.
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

// Article puts a JSON type into a sentence: "an array", "a string", "null".
func Article(noun string) string {
	switch {
	case noun == "null" || noun == "absent":
		return noun
	case strings.IndexAny(noun, "aeiou") == 0:
		return "an " + noun
	}
	return "a " + noun
}

// Usual is how many bytes of a value a message repeats when nothing speaks for another
// number.
const Usual = 60

// Quoted is the usual preview of a value, in quotes.
func Quoted(value string) string { return strconv.Quote(Preview(value, Usual)) }

// Counted is a number of things: "1 error", "2 errors".
func Counted[N int | int64](number N, what string) string {
	if number != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", number, what)
}

// Omitted says how many more of something there are than a limit lets through.
func Omitted(number int, what string, limit int) string {
	if number == 1 {
		return fmt.Sprintf("1 more %s is not shown: the limit is %d", what, limit)
	}
	return fmt.Sprintf("%d more %ss are not shown: the limit is %d", number, what, limit)
}

// RaiseHint is what to do about what is beyond a limit that a flag changes.
func RaiseHint(flag string) string { return "raise the limit with " + flag }

// TooLong is why a text is refused that has more bytes than it may.
func TooLong(bytes, limit int) string {
	return fmt.Sprintf("%d bytes are more than the limit of %d", bytes, limit)
}

// Expected is why a value is refused that is another than what is expected.
func Expected(what, found, expected string) string {
	return what + " is " + found + ", expected " + expected
}

// More ends a list that is not shown to its end: " and 3 more".
func More(number int) string { return " and " + strconv.Itoa(number) + " more" }

// Plain words an error of the file system with the path quoted: `cannot open "x":
// permission denied`.
func Plain(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return &FileError{at.Op, at.Path, at.Err}
	}
	return err
}

// FileError is an error of the file system as Plain words it.
type FileError struct {
	Op, Path string
	Err      error
}

func (e *FileError) Error() string { return fmt.Sprintf("cannot %s %q: %v", e.Op, e.Path, e.Err) }

func (e *FileError) Unwrap() error { return e.Err }

// Beyond is why an input was not read to its end.
func Beyond(limit int64, what string) string {
	return fmt.Sprintf("more than %d %s, the rest was not read", limit, what)
}

// NullIsAbsent says of a member that it may as well be left out.
func NullIsAbsent(name string) string { return name + " is null, which counts as absent" }

// LimitsHint is RaiseHint for what `--limits` names.
func LimitsHint(name string) string { return "raise it with --limits '{\"" + name + "\":N}'" }
