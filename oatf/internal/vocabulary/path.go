package vocabulary

import (
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
)

// CheckSimplePath reports whether path is a simple dot-path (§5.1.1): segments of letters, digits,
// underscores and hyphens separated by dots, or "" for the root.
func CheckSimplePath(path string) bool {
	return path == "" || checkSegments(path, isSegment)
}

// NotSimple returns the message for an invalid simple path. SimplePathHint explains the syntax.
func NotSimple(path string) string { return say.Quoted(path) + " is not a simple dot-path" }

// SimplePathHint explains how to write a path that is NotSimple.
const SimplePathHint = "write names separated by dots, without [*] and indices"

// CheckWildcardPath reports whether path is a wildcard dot-path (§5.1.2): a simple dot-path whose
// segments can each end in one [*].
func CheckWildcardPath(path string) bool {
	return path == "" || checkSegments(path, func(s string) bool { return isSegment(strings.TrimSuffix(s, "[*]")) })
}

func checkSegments(path string, ok func(string) bool) bool {
	for segment := range strings.SplitSeq(path, ".") {
		if !ok(segment) {
			return false
		}
	}
	return true
}

func isSegment(s string) bool {
	return s != "" && All(s, func(c byte) bool { return IsLower(c) || IsUpper(c) || IsDigit(c) || c == '_' || c == '-' })
}
