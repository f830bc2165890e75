package commands

import (
	"fmt"

	"github.com/cupel-dev/cupel/internal/say"
)

// printError prints an error in cupel's voice on standard error, and a hint when there is
// one.
func printError(env Env, message, advice string) {
	fmt.Fprintf(env.Stderr, "cupel: error: %s\n", say.Visible(message))
	if advice != "" {
		hint(env, advice)
	}
}

// warn says on standard error what does not change the answer.
func warn(env Env, message string) {
	fmt.Fprintf(env.Stderr, "cupel: warning: %s\n", say.Visible(message))
}

// hint says on standard error what helps.
func hint(env Env, message string) {
	fmt.Fprintf(env.Stderr, "cupel: hint: %s\n", say.Visible(message))
}

// counted is "1 error" or "2 errors".
func counted(n int, what string) string { return say.Counted(n, what) }

// notShown is the fact that an answer has more findings.
func notShown(n int) string {
	if n == 1 {
		return "1 more finding is not shown; --max-findings shows more"
	}
	return fmt.Sprintf("%d more findings are not shown; --max-findings shows more", n)
}
