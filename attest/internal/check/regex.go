package check

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/attest/internal/regex"
	"github.com/cupel-dev/cupel/attest/internal/search"
	"github.com/cupel-dev/cupel/attest/internal/wording"
)

// maxRegex limits the length of a regular expression, in code points.
const maxRegex = 10_000

// regexMatcher matches an RE2 expression anywhere in a text, case-sensitively.
type regexMatcher struct {
	pattern string
	re      *expression
}

func regexCheck(s *spec) Check {
	pattern := s.need("value")
	return &contentCheck{match: regexMatcher{pattern, compileExpression(s, pattern)}, target: s.target("target")}
}

func (m regexMatcher) prepare(x *search.Text) { m.re.seek(x) }

// match implements matcher. Assertions of a batch with the same expression share the result.
func (m regexMatcher) match(ctx context.Context, x *search.Text) matchResult {
	pattern := wording.Quote(m.pattern)
	found := x.Match(m.pattern, func() []int { return m.re.find(ctx, x) })
	if found == nil {
		return matchResult{sentence: "does not match " + pattern, failing: textMatchesNot, wanted: pattern}
	}
	return matchResult{holds: true, sentence: fmt.Sprintf("matches %s: %s at character %d", pattern, wording.Quote(found.Text), found.Character)}
}

func compileExpression(s *spec, pattern string) *expression {
	n := s.node.Last("value")
	if utf8.RuneCountInString(pattern) > maxRegex {
		s.fail(n, fmt.Sprintf("Shorten the regex to at most %d characters.", maxRegex),
			"regex of %d characters exceeds %d", utf8.RuneCountInString(pattern), maxRegex)
	}
	if s.problem != nil {
		return nil
	}
	re, err := cachedExpression(s, pattern)
	if large := (*regex.TooLarge)(nil); errors.As(err, &large) {
		s.fail(n, "Lower the repetition counts of the regex.", "regex %s is too large: %s", wording.Quote(pattern), large.Error())
		return nil
	}
	if err != nil {
		s.fail(n, fmt.Sprintf("The regex pattern %s is not valid RE2 syntax. Fix the regex in assertion spec.", wording.Quote(pattern)),
			"invalid regex %s", wording.Quote(pattern))
		return nil
	}
	return re
}

// cachedExpression compiles an RE2 expression or returns it from the cache. The error can be errNoRoom.
func cachedExpression(s *spec, pattern string) (*expression, error) {
	key := []byte(pattern)
	if re, ok := s.resources.regexes.Get(key); ok {
		s.keep(regex.Instruction * re.Size)
		return re, nil
	}
	size, err := regex.Size(pattern)
	if err != nil {
		return nil, err
	}
	weight := regex.Instruction * size
	if !s.take(weight) {
		return nil, errNoRoom
	}
	re, err := newExpression(pattern)
	if err != nil {
		return nil, err
	}
	return s.resources.regexes.Put(key, re, len(pattern)+weight), nil
}
