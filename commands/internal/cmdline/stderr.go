package cmdline

import (
	"fmt"

	"github.com/cupel-dev/cupel/internal/say"
)

// PrintError prints an error on standard error in cupel's form, with a hint if there is one.
func PrintError(env Env, message, advice string) {
	fmt.Fprintf(env.Stderr, "cupel: error: %s\n", say.Visible(message))
	if advice != "" {
		Hint(env, advice)
	}
}

// Warn prints a warning on standard error.
func Warn(env Env, message string) {
	fmt.Fprintf(env.Stderr, "cupel: warning: %s\n", say.Visible(message))
}

// Hint prints a hint on standard error.
func Hint(env Env, message string) {
	fmt.Fprintf(env.Stderr, "cupel: hint: %s\n", say.Visible(message))
}

// Counted is "1 error" or "2 errors".
func Counted(n int, what string) string { return say.Counted(n, what) }

// NotShown returns a message that an answer has n more findings.
func NotShown(n int) string {
	if n == 1 {
		return "1 more finding is not shown; --max-findings shows more"
	}
	return fmt.Sprintf("%d more findings are not shown; --max-findings shows more", n)
}

// clippedBytes are of a method, an actor, a phase or a time that a page shows.
const clippedBytes = 200

// Clipped returns a shortened copy of a text, so that the message that contains it can be freed.
func Clipped(s string) string { return string([]byte(say.Preview(s, clippedBytes))) }
