package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/attest/internal/regex"
	"github.com/cupel-dev/cupel/attest/internal/search"
	"github.com/cupel-dev/cupel/attest/internal/wording"
)

// maxRegex bounds the length of a regular expression, in code points.
const maxRegex = 10_000

// regexMatcher matches an RE2 expression anywhere in a text, case as written.
type regexMatcher struct {
	pattern string
	re      *expression
}

func regexCheck(s *spec) Check {
	pattern := s.need("value")
	return &contentCheck{match: regexMatcher{pattern, s.regex(pattern)}, target: s.target("target")}
}

func (m regexMatcher) prepare(x *search.Text) { m.re.seek(x) }

// match implements matcher. All assertions of a batch that ask for the same share one answer.
func (m regexMatcher) match(ctx context.Context, x *search.Text) reading {
	pattern := wording.Quote(m.pattern)
	found := x.Match(m.pattern, func() []int { return m.re.find(ctx, x) })
	if found == nil {
		return reading{sentence: "does not match " + pattern, failing: textMatchesNot, wanted: pattern}
	}
	return reading{holds: true, sentence: fmt.Sprintf("matches %s: %s at character %d", pattern, wording.Quote(found.Text), found.Character)}
}

// regex compiles the expression of the member "value".
func (s *spec) regex(pattern string) *expression {
	n := s.node.Last("value")
	if utf8.RuneCountInString(pattern) > maxRegex {
		s.fail(n, fmt.Sprintf("Shorten the regex to at most %d characters.", maxRegex),
			"regex of %d characters exceeds %d", utf8.RuneCountInString(pattern), maxRegex)
	}
	if s.problem != nil {
		return nil
	}
	re, err := s.resources.regex(pattern, s)
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

// expression is a compiled regular expression with its needs as words that can be sought.
type expression struct {
	*regex.Expression
	needs [][]needle // of each, a text that matches has one
}

// needle is a word, in the form in which it is sought in a text.
type needle struct {
	form search.Form
	word string
}

func newExpression(pattern string) (*expression, error) {
	compiled, err := regex.Compile(pattern)
	if err != nil {
		return nil, err
	}
	re := &expression{Expression: compiled}
	for _, need := range compiled.Needs {
		needles := make([]needle, len(need))
		for i, l := range need {
			form := search.Form{SimpleFold: l.AnyCase}
			needles[i] = needle{form, form.Apply(l.Text)}
		}
		re.needs = append(re.needs, needles)
	}
	return re, nil
}

// seek tells a text what find will want to know.
func (re *expression) seek(x *search.Text) {
	for _, need := range re.needs {
		for _, n := range need {
			x.In(n.form).Seek(n.word)
		}
	}
}

// ruledOut says that a text lacks what every match needs.
func (re *expression) ruledOut(x *search.Text) bool {
	return slices.ContainsFunc(re.needs, func(need []needle) bool {
		return !slices.ContainsFunc(need, func(n needle) bool { return x.In(n.form).Has(n.word) })
	})
}

// find returns the place of a match, nil when there is none: see regex.Expression.Find.
func (re *expression) find(ctx context.Context, x *search.Text) []int {
	if re.ruledOut(x) {
		return nil
	}
	return re.Find(ctx, x.Value)
}
