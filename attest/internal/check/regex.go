package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
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

func (regexMatcher) prepare(*search.Text) {}

func (m regexMatcher) match(ctx context.Context, x *search.Text) (holds bool, sentence string) {
	place := m.re.find(ctx, x.Value)
	if place == nil {
		return false, "does not match " + wording.Quote(m.pattern)
	}
	return true, fmt.Sprintf("matches %s: %s at character %d", wording.Quote(m.pattern),
		wording.Quote(x.Value[place[0]:place[1]]), utf8.RuneCountInString(x.Value[:place[0]]))
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

// expression is a compiled regular expression and the size of its program, which
// repetitions multiply: matching takes time in proportion to it and to the text.
type expression struct {
	*regexp.Regexp
	size int
}

// patientWork is the product of program and text up to which a regex runs undisturbed,
// which is a fraction of a second; beyond, the time limit must be able to end it.
const patientWork = 20_000_000

// find returns the place of the first match, nil when there is none.
func (re *expression) find(ctx context.Context, s string) []int {
	if re.size*len(s) <= patientWork {
		return re.FindStringIndex(s)
	}
	return re.FindReaderIndex(&interruptible{ctx: ctx, text: s})
}

// interruptible reads a text until the context is done.
type interruptible struct {
	ctx  context.Context
	text string
	pos  int
}

func (r *interruptible) ReadRune() (c rune, size int, err error) {
	if r.pos == len(r.text) || r.pos&0xfff < 4 && r.ctx.Err() != nil {
		return 0, 0, io.EOF
	}
	c, size = utf8.DecodeRuneInString(r.text[r.pos:])
	r.pos += size
	return c, size, nil
}
