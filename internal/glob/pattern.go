package glob

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// Pattern is a pattern for paths below a folder, as a line of .gitignore is one: without a
// slash before its end it matches in every folder below, otherwise from the folder on; with
// one at its end it matches folders alone; "**" stands for any number of folders.
type Pattern struct {
	segments []string // the pattern, cut at its slashes
	dirOnly  bool     // it ended with a slash
}

// New is the pattern of a text. One that is malformed matches nothing.
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
		p.segments = append(p.segments, "*") // "a/**" is what lies in a, not a
	}
	return p
}

// Parse is New for a text that must be able to match something. Its error says why it never
// does.
func Parse(text string) (Pattern, error) {
	if strings.HasPrefix(text, "!") {
		return Pattern{}, errors.New("takes nothing back: a pattern begins without \"!\"")
	}
	for segment := range strings.SplitSeq(strings.TrimSuffix(strings.TrimPrefix(text, "/"), "/"), "/") {
		if segment == "" || segment == "." || segment == ".." {
			return Pattern{}, fmt.Errorf("has the part %q, which no path below the folder has", segment)
		}
		if _, err := path.Match(segment, ""); err != nil {
			return Pattern{}, fmt.Errorf("has the malformed part %q", segment)
		}
	}
	return New(text), nil
}

// Matches reports whether the pattern matches a path, cut at its slashes, from the folder on.
func (p Pattern) Matches(names []string, isDir bool) bool {
	if p.dirOnly && !isDir {
		return false
	}
	full, _ := Path(p.segments, names, Any)
	return full
}

// Covers reports whether the pattern matches a path or one of the folders that it lies in.
func (p Pattern) Covers(names []string, isDir bool) bool {
	for i := range names {
		if p.Matches(names[:i+1], isDir || i+1 < len(names)) {
			return true
		}
	}
	return false
}
