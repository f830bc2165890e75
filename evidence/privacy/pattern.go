package privacy

import (
	"bytes"
	"regexp"
)

// pattern is the compiled pattern of a row in a policy file.
type pattern struct {
	class        Class
	part, wholly *regexp.Regexp
}

func newPattern(class Class, expression string) (*pattern, error) {
	part, err := regexp.Compile(expression)
	if err != nil {
		return nil, err
	}
	wholly, err := regexp.Compile(`^\s*(?:` + expression + `)\s*$`)
	if err != nil {
		return nil, err
	}
	return &pattern{class, part, wholly}, nil
}

// rounds limits how often patterns are applied to a text, because a replacement can match again.
const rounds = 8

// match applies patterns and text rules until nothing more is found. At the limit it hides the whole text.
func (t *texts) match(text []byte, what found, patterns []*pattern) ([]byte, found) {
	for range rounds {
		if p := wholly(text, patterns); p != nil {
			return nil, found{Forbidden, RulePattern, Removed}
		}
		masked := text
		for _, p := range patterns {
			if m := mask(masked, p.part); m != nil {
				masked, what = m, what.and(p.class, RulePattern, Replaced)
			}
		}
		var after []byte
		after, what = t.rules(masked, what, nil)
		if what.action == Removed {
			return nil, what
		}
		if bytes.Equal(after, text) {
			return text, what
		}
		text = bytes.Clone(after)
	}
	return []byte(stars), what.and(Sensitive, RulePattern, Replaced)
}

// wholly returns a pattern that forbids and matches a whole text, or nil.
func wholly(text []byte, patterns []*pattern) *pattern {
	for _, p := range patterns {
		if p.class == Forbidden && !bytes.Contains(text, []byte(stars)) && p.wholly.Match(text) {
			return p
		}
	}
	return nil
}

// mask replaces matches by stars, outside of existing stars. It returns nil without a match.
func mask(text []byte, re *regexp.Regexp) (masked []byte) {
	copied := 0
	for at := 0; at < len(text); {
		piece, _, _ := bytes.Cut(text[at:], []byte(stars))
		if re.Match(piece) {
			for _, m := range re.FindAllIndex(piece, -1) {
				if m[0] < m[1] { // not an assertion alone
					masked = append(append(masked, text[copied:at+m[0]]...), stars...)
					copied = at + m[1]
				}
			}
		}
		at += len(piece) + len(stars)
	}
	if copied == 0 {
		return nil
	}
	return append(masked, text[copied:]...)
}
