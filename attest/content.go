package attest

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"slices"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// contentChecks are the checks of layer 4.
var contentChecks = []namedCheck{
	{"contains", func(s *spec) check { return wordsCheck(s, []string{s.need("value")}, contains) }},
	{"not_contains", func(s *spec) check { return wordsCheck(s, []string{s.need("value")}, containsNot) }},
	{"regex_match", regexCheck},
	{"keyword_all", func(s *spec) check { return wordsCheck(s, s.needTexts("values"), keywordAll) }},
	{"keyword_any", func(s *spec) check { return wordsCheck(s, s.needTexts("values"), keywordAny) }},
	{"forbidden", forbiddenCheck},
}

func compileContent(s *spec) check { return chosen(s, "content check", contentChecks) }

// contentCheck is a check of layer 4: a matcher on the values of a target. When the
// target stands for several values, each must hold.
type contentCheck struct {
	target target
	match  matcher
	hard   bool // a failure is hard even when the assertion is soft
}

// matcher is a check of one text.
type matcher interface {
	// prepare tells the text what will be sought in it.
	prepare(x *text)
	// match checks the text. The sentence follows the name of the target: "contains
	// 'refund'".
	match(ctx context.Context, x *text) (holds bool, sentence string)
}

func (c *contentCheck) prepare(t *trace) {
	values, _ := c.target.resolve(t)
	for _, n := range values.nodes {
		c.match.prepare(t.text(n))
	}
}

func (c *contentCheck) evaluate(ctx context.Context, t *trace) verdict {
	values, m := c.target.resolve(t)
	if m != nil {
		return broken(m.sentence())
	}
	label := c.target.shown + values.note
	if slices.ContainsFunc(values.nodes, func(n strictjson.Node) bool { return n.Is(strictjson.Null) }) {
		return broken(label + " not found: it is null, so there is no text to check.")
	}
	sentence := ""
	for i, n := range values.nodes {
		var holds bool
		if holds, sentence = c.match.match(ctx, t.text(n)); holds {
			continue
		}
		if len(values.nodes) > 1 {
			label += fmt.Sprintf(" (match %d of %d)", i+1, len(values.nodes))
		}
		v := failed(n, label+" "+sentence+".")
		v.hard = c.hard
		return v
	}
	if len(values.nodes) > 1 {
		label += fmt.Sprintf(" (all %d matches)", len(values.nodes))
	}
	return passed(values.nodes[0], label+" "+sentence+".")
}

// judge turns the words that a text contains into an answer.
type judge func(words []string, found []bool) (holds bool, sentence string)

// wordsMatcher seeks words in a text.
type wordsMatcher struct {
	words  []string
	form   textForm
	formed []string // words in the form
	whole  bool     // they must stand alone
	judge  judge
}

// wordsCheck seeks words in a text, without regard to case unless the spec asks for it.
func wordsCheck(s *spec, words []string, judge judge) *contentCheck {
	m := &wordsMatcher{words: words, judge: judge, form: textForm{fold: !s.flag("case_sensitive")}}
	if !s.node.Last("normalize").Missing() {
		m.form.nfc = s.choose("normalize", "normalization", []string{"nfc"}) != ""
	}
	m.whole = s.flag("word")
	m.formed = make([]string, len(words))
	for i, word := range words {
		m.formed[i] = m.form.apply(word)
	}
	return &contentCheck{target: s.target("target"), match: m}
}

func (m *wordsMatcher) prepare(x *text) {
	in := x.in(m.form)
	for _, word := range m.formed {
		in.seek(word)
	}
}

func (m *wordsMatcher) match(_ context.Context, x *text) (holds bool, sentence string) {
	in := x.in(m.form)
	found := make([]bool, len(m.formed))
	for i, word := range m.formed {
		found[i] = in.has(word) && (!m.whole || containsWord(in.value, word))
	}
	return m.judge(m.words, found)
}

// forbiddenCheck: none of the values; any match is a hard failure.
func forbiddenCheck(s *spec) check {
	c := wordsCheck(s, s.needTexts("values"), noneForbidden)
	c.hard = true
	return c
}

func contains(words []string, found []bool) (bool, string) {
	if found[0] {
		return true, "contains " + quote(words[0])
	}
	return false, "does not contain " + quote(words[0])
}

func containsNot(words []string, found []bool) (bool, string) {
	holds, sentence := contains(words, found)
	return !holds, sentence
}

func keywordAll(words []string, found []bool) (bool, string) {
	_, absent := split(words, found)
	if len(absent) == 0 {
		return true, "contains all keywords " + quoteList(words)
	}
	return false, fmt.Sprintf("is missing keywords %s (%d of %d found)", quoteList(absent), len(words)-len(absent), len(words))
}

func keywordAny(words []string, found []bool) (bool, string) {
	present, _ := split(words, found)
	if len(present) == 0 {
		return false, "contains none of the keywords " + quoteList(words)
	}
	return true, fmt.Sprintf("contains keywords %s (%d of %d)", quoteList(present), len(present), len(words))
}

func noneForbidden(words []string, found []bool) (bool, string) {
	present, _ := split(words, found)
	if len(present) == 0 {
		return true, "contains none of the forbidden terms " + quoteList(words)
	}
	return false, "contains forbidden terms " + quoteList(present)
}

// split parts words into those that were found and those that were not.
func split(words []string, found []bool) (present, absent []string) {
	for i, word := range words {
		if found[i] {
			present = append(present, word)
		} else {
			absent = append(absent, word)
		}
	}
	return present, absent
}

// maxRegex bounds the length of a regular expression, in code points.
const maxRegex = 10_000

// regexCacheSize bounds the expressions that an engine keeps compiled: the sum of their
// lengths and of their programs, of about 40 bytes per instruction.
const regexCacheSize = 1 << 20

// regexMatcher matches an RE2 expression anywhere in a text, case as written.
type regexMatcher struct {
	pattern string
	re      *expression
}

func regexCheck(s *spec) check {
	pattern := s.need("value")
	return &contentCheck{match: regexMatcher{pattern, s.regex(pattern)}, target: s.target("target")}
}

func (regexMatcher) prepare(*text) {}

func (m regexMatcher) match(ctx context.Context, x *text) (holds bool, sentence string) {
	place := m.re.find(ctx, x.value)
	if place == nil {
		return false, "does not match " + quote(m.pattern)
	}
	return true, fmt.Sprintf("matches %s: %s at character %d", quote(m.pattern),
		quote(x.value[place[0]:place[1]]), utf8.RuneCountInString(x.value[:place[0]]))
}

// expression is a compiled regular expression and the size of its program, which
// repetitions multiply: matching takes time in proportion to it and to the text.
type expression struct {
	*regexp.Regexp
	size int
}

// compileExpression compiles an RE2 expression.
func compileExpression(pattern string) (*expression, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, err
	}
	return &expression{re, len(program.Inst)}, nil
}

// regex compiles the expression of the member "value", or takes it from the cache.
func (s *spec) regex(pattern string) *expression {
	n := s.node.Last("value")
	if utf8.RuneCountInString(pattern) > maxRegex {
		s.fail(n, fmt.Sprintf("Shorten the regex to at most %d characters.", maxRegex),
			"regex of %d characters exceeds %d", utf8.RuneCountInString(pattern), maxRegex)
	}
	if s.problem != nil {
		return nil
	}
	if re, ok := s.engine.regexes.get([]byte(pattern)); ok {
		s.weight += re.weight()
		return re
	}
	re, err := compileExpression(pattern)
	if err != nil {
		s.fail(n, fmt.Sprintf("The regex pattern %s is not valid RE2 syntax. Fix the regex in assertion spec.", quote(pattern)),
			"invalid regex %s", quote(pattern))
		return nil
	}
	s.weight += re.weight()
	return s.engine.regexes.put([]byte(pattern), re, len(pattern)+re.size)
}

// weight is what a compiled expression takes in memory, in bytes, by estimate.
func (re *expression) weight() int { return 64 * re.size }

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
