package commands

import (
	"fmt"
	"strings"
)

// say prints an error in cupel's voice on standard error, and a hint when there is
// one. Control characters of the message cannot reach the terminal.
func say(env Env, message, hint string) {
	fmt.Fprintf(env.Stderr, "cupel: error: %s\n", printable(message))
	if hint != "" {
		fmt.Fprintf(env.Stderr, "cupel: hint: %s\n", printable(hint))
	}
}

// warn says on standard error what does not change the answer.
func warn(env Env, message string) {
	fmt.Fprintf(env.Stderr, "cupel: warning: %s\n", printable(message))
}

// sayError says an error with the advice that it carries.
func sayError(env Env, err error) { say(env, err.Error(), hintOf(err)) }

// printable keeps text on one line and free of terminal escapes.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < 0x20, r >= 0x7f && r < 0xa0, r == 0x2028, r == 0x2029, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return '�'
		}
		return r
	}, s)
}

// counted is "1 error" or "2 errors".
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
