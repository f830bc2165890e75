package glob

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// Pattern is a .gitignore-style pattern, relative to a folder. Without a slash before its end it matches at any
// depth; with one at its end it matches only folders; "**" matches any number of folders.
type Pattern struct {
	segments []string
	dirOnly  bool
}

// New returns the pattern of a text. A malformed one matches nothing.
func New(text string) (p Pattern) {
	if strings.HasSuffix(text, "/") {
		p.dirOnly, text = true, strings.TrimSuffix(text, "/")
	}
	anchored := strings.Contains(text, "/")
	p.segments = strings.Split(strings.TrimPrefix(text, "/"), "/")
	if !anchored {
		p.segments = append([]string{"**"}, p.segments...)
	}
	if p.segments[len(p.segments)-1] == "**" {
		p.segments = append(p.segments, "*") // "a/**" matches the content of a, not a
	}
	return p
}

// Parse is New, but fails if the pattern can never match.
func Parse(text string) (Pattern, error) {
	if strings.HasPrefix(text, "!") {
		return Pattern{}, errors.New("begins with \"!\", but patterns cannot be negated")
	}
	for segment := range strings.SplitSeq(strings.TrimSuffix(strings.TrimPrefix(text, "/"), "/"), "/") {
		if segment == "" || segment == "." || segment == ".." {
			return Pattern{}, fmt.Errorf("has the segment %q, which cannot occur in a path", segment)
		}
		if _, err := path.Match(segment, ""); err != nil {
			return Pattern{}, fmt.Errorf("has the malformed part %q", segment)
		}
	}
	return New(text), nil
}

// Matches reports whether the pattern matches a path, given as its names.
func (p Pattern) Matches(names []string, isDir bool) bool {
	if p.dirOnly && !isDir {
		return false
	}
	full, _ := Path(p.segments, names, Any)
	return full
}

// Covers reports whether the pattern matches a path or one of its parents.
func (p Pattern) Covers(names []string, isDir bool) bool {
	for i := range names {
		if p.Matches(names[:i+1], isDir || i+1 < len(names)) {
			return true
		}
	}
	return false
}
