// Package glob matches paths, cut at their slashes, against patterns: those of operands,
// whose wildcards match nothing hidden, and those of .gitignore and cupel.yaml.
package glob

import (
	"path"
	"slices"
	"strings"
)

// Is reports whether an operand that names no file can be a pattern.
func Is(operand string) bool { return strings.ContainsAny(operand, "*?[") }

// Split cuts a pattern before its first segment with a wildcard.
func Split(pattern string) (base, rest string) {
	meta := strings.IndexAny(pattern, "*?[")
	cut := strings.LastIndexByte(pattern[:meta], '/')
	if cut < 0 {
		return ".", pattern
	}
	if cut == 0 {
		return "/", pattern[1:]
	}
	return pattern[:cut], pattern[cut+1:]
}

// Path matches path names against pattern segments, where "**" stands for any
// number of names; name matches one name against one segment. full: the whole path
// matches; prefix: something below it may.
//
// at is the set of segments that may match next, so the time is bounded by
// segments × names, however many "**" there are.
func Path(segments, names []string, name func(pattern, name string) bool) (full, prefix bool) {
	at := closure(make([]bool, len(segments)+1), segments, 0)
	for _, n := range names {
		next := make([]bool, len(segments)+1)
		for i, segment := range segments {
			switch {
			case !at[i]:
			case segment == "**" && name("*", n):
				next = closure(next, segments, i)
			case segment != "**" && name(segment, n):
				next = closure(next, segments, i+1)
			}
		}
		at = next
	}
	return at[len(segments)], slices.Contains(at[:len(segments)], true)
}

// closure switches on segment i, and those after the "**" that may stand for nothing.
func closure(at []bool, segments []string, i int) []bool {
	at[i] = true
	for i < len(segments) && segments[i] == "**" {
		i++
		at[i] = true
	}
	return at
}

// Visible matches one name; a wildcard at its start does not match a leading dot.
func Visible(pattern, name string) bool {
	if strings.HasPrefix(name, ".") && !strings.HasPrefix(pattern, ".") {
		return false
	}
	return Any(pattern, name)
}

// Any matches one name, hidden or not. A malformed pattern matches nothing.
func Any(pattern, name string) bool {
	ok, _ := path.Match(pattern, name)
	return ok
}
