// Package glob matches slash-separated paths against patterns of operands, which skip hidden files,
// and of .gitignore and cupel.yaml.
package glob

import (
	"path"
	"slices"
	"strings"
)

// Is reports whether an operand contains wildcards.
func Is(operand string) bool { return strings.ContainsAny(operand, "*?[") }

// Split splits a pattern before its first segment with a wildcard.
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

// Path matches path names against pattern segments; "**" matches any number of names. name matches one name against
// one segment. full: the whole path matches; prefix: a descendant can match. at is the set of segments that can
// match next, which bounds the time by segments × names.
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

// closure activates segment i and those after any "**" that can match nothing.
func closure(at []bool, segments []string, i int) []bool {
	at[i] = true
	for i < len(segments) && segments[i] == "**" {
		i++
		at[i] = true
	}
	return at
}

// Visible matches one name; an initial wildcard does not match a dot.
func Visible(pattern, name string) bool {
	if strings.HasPrefix(name, ".") && !strings.HasPrefix(pattern, ".") {
		return false
	}
	return Any(pattern, name)
}

// Any matches one name, hidden or not. Malformed patterns do not match.
func Any(pattern, name string) bool {
	ok, _ := path.Match(pattern, name)
	return ok
}
