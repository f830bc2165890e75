package check

import (
	"context"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/attest/internal/search"
	"github.com/cupel-dev/cupel/attest/internal/target"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// contentChecks are the checks of layer 4.
var contentChecks = []namedCheck{
	{"contains", func(s *spec) Check { return wordsCheck(s, []string{s.need("value")}, contains) }},
	{"not_contains", func(s *spec) Check { return wordsCheck(s, []string{s.need("value")}, containsNot) }},
	{"regex_match", regexCheck},
	{"keyword_all", func(s *spec) Check { return wordsCheck(s, s.needTexts("values"), keywordAll) }},
	{"keyword_any", func(s *spec) Check { return wordsCheck(s, s.needTexts("values"), keywordAny) }},
	{"forbidden", forbiddenCheck},
}

func compileContent(s *spec) Check { return chosen(s, "content check", contentChecks) }

// contentCheck is a check of layer 4: all values of the target must satisfy the matcher.
type contentCheck struct {
	target target.Target
	match  matcher
	hard   bool // a failure is hard even when the assertion is soft
}

type matcher interface {
	// prepare registers the words to search for.
	prepare(x *search.Text)
	match(ctx context.Context, x *search.Text) matchResult
}

type matchResult struct {
	holds    bool
	sentence string // it follows the name of the target: "contains 'refund'"

	// If it fails:
	failing failureReason
	wanted  string // argument of the failing
	found   string // the same of the text; "": its beginning
}

func (c *contentCheck) prepare(s *Subject) {
	values, _ := c.target.Resolve(&s.Targets)
	for _, n := range values.Nodes {
		if text := s.texts.Kept(n); text != nil {
			c.match.prepare(text)
		}
	}
}

func (c *contentCheck) evaluate(ctx context.Context, s *Subject) Verdict {
	values, m := c.target.Resolve(&s.Targets)
	if m != nil {
		return notThere(m)
	}
	label := c.target.Shown + values.Note
	if slices.ContainsFunc(values.Nodes, func(n strictjson.Node) bool { return n.Is(strictjson.Null) }) {
		return broken(label+" not found: it is null, so there is no text to check.").because(targetNull, c.target.Shown, "")
	}
	var r matchResult
	for i, n := range values.Nodes {
		text := s.texts.Of(n)
		if r = c.match.match(ctx, text); r.holds {
			continue
		}
		if len(values.Nodes) > 1 {
			label += fmt.Sprintf(" (match %d of %d)", i+1, len(values.Nodes))
		}
		if r.found == "" {
			r.found = wording.Excerpt(text.Value)
		}
		v := failed(n, label+" "+r.sentence+".").because(r.failing, r.wanted, r.found)
		v.hard = c.hard
		return v
	}
	if len(values.Nodes) > 1 {
		label += fmt.Sprintf(" (all %d matches)", len(values.Nodes))
	}
	return passed(values.Nodes[0], label+" "+r.sentence+".")
}

// decision decides from the words that a text contains.
type decision func(words []string, found []bool) matchResult

type wordsMatcher struct {
	words  []string
	form   search.Form
	formed []string // words in the form
	whole  bool     // match whole words only
	decide decision
}

// wordsCheck searches for words, ignoring case unless the spec says otherwise.
func wordsCheck(s *spec, words []string, decide decision) *contentCheck {
	m := &wordsMatcher{words: words, decide: decide, form: search.Form{Fold: !s.flag("case_sensitive")}}
	if !s.node.Last("normalize").Missing() {
		m.form.NFC = s.choose("normalize", "normalization", []string{"nfc"}) != ""
	}
	m.whole = s.flag("word")
	m.formed = make([]string, len(words))
	for i, word := range words {
		m.formed[i] = m.form.Apply(word)
	}
	return &contentCheck{target: s.target("target"), match: m}
}

func (m *wordsMatcher) prepare(x *search.Text) {
	in := x.In(m.form)
	for _, word := range m.formed {
		in.Seek(word)
	}
}

func (m *wordsMatcher) match(_ context.Context, x *search.Text) matchResult {
	in := x.In(m.form)
	found := make([]bool, len(m.formed))
	for i, word := range m.formed {
		found[i] = in.Has(word) && (!m.whole || search.ContainsWord(in.Value, word))
	}
	return m.decide(m.words, found)
}

// forbiddenCheck requires that none of the values occurs. A match is a hard failure.
func forbiddenCheck(s *spec) Check {
	c := wordsCheck(s, s.needTexts("values"), noneForbidden)
	c.hard = true
	return c
}

func contains(words []string, found []bool) matchResult {
	word := wording.Quote(words[0])
	if found[0] {
		return matchResult{holds: true, sentence: "contains " + word}
	}
	return matchResult{sentence: "does not contain " + word, failing: textLacks, wanted: word}
}

func containsNot(words []string, found []bool) matchResult {
	word := wording.Quote(words[0])
	if found[0] {
		return matchResult{sentence: "contains " + word, failing: textHas, wanted: word}
	}
	return matchResult{holds: true, sentence: "does not contain " + word}
}

func keywordAll(words []string, found []bool) matchResult {
	_, absent := split(words, found)
	if len(absent) == 0 {
		return matchResult{holds: true, sentence: "contains all keywords " + wording.QuoteList(words)}
	}
	missing := wording.QuoteList(absent)
	return matchResult{
		sentence: fmt.Sprintf("is missing keywords %s (%d of %d found)", missing, len(words)-len(absent), len(words)),
		failing:  textLacksKeywords, wanted: wording.QuoteList(words), found: missing,
	}
}

func keywordAny(words []string, found []bool) matchResult {
	present, _ := split(words, found)
	if len(present) == 0 {
		list := wording.QuoteList(words)
		return matchResult{sentence: "contains none of the keywords " + list, failing: textLacksAnyKeyword, wanted: list}
	}
	return matchResult{holds: true, sentence: fmt.Sprintf("contains keywords %s (%d of %d)", wording.QuoteList(present), len(present), len(words))}
}

func noneForbidden(words []string, found []bool) matchResult {
	present, _ := split(words, found)
	if len(present) == 0 {
		return matchResult{holds: true, sentence: "contains none of the forbidden terms " + wording.QuoteList(words)}
	}
	terms := wording.QuoteList(present)
	return matchResult{sentence: "contains forbidden terms " + terms, failing: textHasForbidden, wanted: wording.QuoteList(words), found: terms}
}

// split divides words into present and absent ones.
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
