// Package ruleset reads rules for secrets and prepares them for a fast search: an expression is
// tried only at a rule's keywords, anchored there.
//
// The format is the TOML of gitleaks' configuration:
//
//	[[rules]]
//	id = "acme-token"
//	description = "Acme token"
//	regex = '''\b(acme_[a-z0-9]{32})\b'''  # RE2; the secret is the first group that takes part
//	entropy = 3.0                          # minimum bits per byte of the secret
//	keywords = ["acme_"]
//	[[rules.allowlists]]
//	regexes = ['''^acme_example''']
//
// The default rules are the configuration of the module github.com/zricethezav/gitleaks/v8 at the
// version in go.mod, read at run time, and own.toml.
package ruleset

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/zricethezav/gitleaks/v8/config"

	"github.com/cupel-dev/cupel/internal/secrets/automaton"
)

// Form is a set of rules in the TOML form.
type Form struct {
	Rules      []FormRule  `toml:"rules"`
	Allowlist  *FormAllow  `toml:"allowlist"`
	Allowlists []FormAllow `toml:"allowlists" yaml:"allowlists" json:"allowlists,omitempty"`
}

// FormRule is one rule in the TOML form.
type FormRule struct {
	ID          string      `toml:"id" yaml:"id" json:"id,omitempty"`
	Description string      `toml:"description" yaml:"description" json:"description,omitempty"`
	Regex       string      `toml:"regex" yaml:"regex" json:"regex,omitempty"`
	SecretGroup int         `toml:"secretGroup" yaml:"secretGroup" json:"secretGroup,omitempty"`
	Entropy     float64     `toml:"entropy" yaml:"entropy" json:"entropy,omitempty"`
	Keywords    []string    `toml:"keywords" yaml:"keywords" json:"keywords,omitempty"`
	Path        string      `toml:"path" yaml:"path" json:"path,omitempty"`
	Allowlists  []FormAllow `toml:"allowlists" yaml:"allowlists" json:"allowlists,omitempty"`

	// Proof asks for a value that can be a secret: "anything", "plausible", "coined", "random" or "certain". It is a
	// member of this project's files.
	Proof string `toml:"proof" yaml:"proof" json:"proof,omitempty"`
}

// FormAllow is a list of values that are not secrets.
type FormAllow struct {
	Description string   `toml:"description" yaml:"description" json:"description,omitempty"`
	Condition   string   `toml:"condition" yaml:"condition" json:"condition,omitempty"`
	Paths       []string `toml:"paths" yaml:"paths" json:"paths,omitempty"`
	RegexTarget string   `toml:"regexTarget" yaml:"regexTarget" json:"regexTarget,omitempty"` // secret, match or line
	Regexes     []string `toml:"regexes" yaml:"regexes" json:"regexes,omitempty"`
	Stopwords   []string `toml:"stopwords" yaml:"stopwords" json:"stopwords,omitempty"`
}

// Origin is the source of a rule.
type Origin string

const (
	Library Origin = "gitleaks"
	Own     Origin = "cupel"
	ADR006  Origin = "adr006"
	Policy  Origin = "policy"
)

//go:embed own.toml
var ownText string

//go:embed adr006.toml
var adr006Text string

const aboutFiles = "needs the path of a file"

// notHere are rules of the library that do not apply to texts.
var notHere = map[string]string{
	"pkcs12-file":            "matches the name of a file",
	"freemius-secret-key":    aboutFiles,
	"nuget-config-password":  aboutFiles,
	"kubernetes-secret-yaml": aboutFiles,
	"curl-auth-header":       "headers are found wherever they are: authorization-header, secret-header",
	"curl-auth-user":         "arguments are found in any command: user-argument",
	"private-key":            "found with the lines of a key that was cut: private-key",
}

// brokenAllow corrects an expression of the library's global list: without brackets it allows every
// token that contains the word false.
var brokenAllow = map[string]string{`(?i)^true|false|null$`: `(?i)^(?:true|false|null)$`}

// Default returns the rules of the library and this project, loaded by the first call.
var Default = sync.OnceValues(func() (*Set, error) {
	library, err := Parse(config.DefaultConfig)
	if err != nil {
		return nil, err
	}
	for i, expression := range library.Allowlist.Regexes {
		if meant, ok := brokenAllow[expression]; ok {
			library.Allowlist.Regexes[i] = meant
		}
	}
	library.Rules = slices.DeleteFunc(library.Rules, func(r FormRule) bool { return notHere[r.ID] != "" })
	set, err := new(Set).With(library, Library)
	if err != nil {
		return nil, err
	}
	own, err := Parse(ownText)
	if err != nil {
		return nil, err
	}
	return set.With(own, Own)
})

// ADR returns the eleven rules of the reference implementation of the evidence contract.
var ADR = sync.OnceValues(func() (*Set, error) {
	form, err := Parse(adr006Text)
	if err != nil {
		return nil, err
	}
	return new(Set).With(form, ADR006)
})

// Parse reads rules in the TOML form.
func Parse(text string) (*Form, error) {
	var form Form
	if err := toml.Unmarshal([]byte(text), &form); err != nil {
		return nil, fmt.Errorf("secret rules: %w", err)
	}
	return &form, nil
}

// Set is an ordered list of rules and their common allowlist. It is immutable and safe for concurrent use.
type Set struct {
	Rules []*Rule
	allow []*allow
}

// Limits of user rules.
const (
	MostRules      = 1000
	MostExpression = 10_000 // bytes
	mostListed     = 60_000 // bytes of the texts of an allow-list
)

// With returns the set with the rules of a form appended. A rule with an existing id replaces it.
func (s *Set) With(form *Form, origin Origin) (*Set, error) {
	next := &Set{Rules: slices.Clone(s.Rules), allow: slices.Clone(s.allow)}
	if len(form.Rules) > MostRules {
		return nil, fmt.Errorf("%d secret rules, the limit is %d", len(form.Rules), MostRules)
	}
	lists := form.Allowlists
	if form.Allowlist != nil {
		lists = append([]FormAllow{*form.Allowlist}, lists...)
	}
	for i := range lists {
		if a, err := newAllow(&lists[i]); err != nil {
			return nil, err
		} else if a != nil {
			next.allow = append(next.allow, a)
		}
	}
	for i := range form.Rules {
		r, err := newRule(&form.Rules[i], origin)
		if err != nil {
			return nil, fmt.Errorf("secret rule %q: %w", form.Rules[i].ID, err)
		}
		if at := slices.IndexFunc(next.Rules, func(old *Rule) bool { return old.ID == r.ID }); at >= 0 {
			next.Rules[at] = r
		} else {
			next.Rules = append(next.Rules, r)
		}
	}
	return next, nil
}

// Allows reports whether the set's allowlists allow the secret text[from:to] of a rule.
func (s *Set) Allows(text []byte, from, to int, t *Trace) bool {
	allows := func() bool {
		return slices.ContainsFunc(s.allow, func(a *allow) bool {
			return a.allows(text, from, to, from, to, func(a *allow) bool { return a.expresses(text, from, to, t) }, t)
		})
	}
	if t == nil || to-from < leastCounted {
		return allows()
	}
	if t.listed.has(from, to) {
		return true
	}
	if !allows() {
		return false
	}
	t.listed = refused{to, from + s.stopped(text[from:to])}
	return true
}

// stopped returns the end of the part of a secret in which every later start leaves a stop word that allows it.
func (s *Set) stopped(secret []byte) (until int) {
	for _, a := range s.allow {
		if a.both {
			continue
		}
		a.search().Find(secret, func(i, start int) bool {
			if a.needs[i].test == nil {
				until = max(until, start+1)
			}
			return true
		})
	}
	return until
}

// allow is a list of values that are not secrets.
type allow struct {
	target    string
	tests     []*test
	stopwords []string
	both      bool
	search    func() *automaton.Automaton // of what the tests need and of the stop words
	needs     []need                      // what its texts are of
	least     int                         // bytes of the shortest of them
	most      int                         // of the longest
	whole     *test                       // of the expressions of whole texts, as one
	always    []*test                     // tests that need no certain text
}

// need is a text of an allow-list: one that an alternative of a test needs, or a stop word.
type need struct {
	test        *test // nil: a stop word
	alternative int
	number      int // of the alternative in the list
}

// mostTried limits the alternatives of a list that are tried once for a text, and not at every text that they need.
const mostTried = 1024

func newAllow(form *FormAllow) (*allow, error) {
	if len(form.Paths) > 0 && (strings.EqualFold(form.Condition, "AND") || len(form.Regexes)+len(form.Stopwords) == 0) {
		return nil, nil // only about files
	}
	a := &allow{target: form.RegexTarget, stopwords: form.Stopwords, both: strings.EqualFold(form.Condition, "AND")}
	var wholes []string
	size := 0
	for _, expression := range form.Regexes {
		if len(expression) > MostExpression {
			return nil, errors.New("an expression of an allow-list is too long")
		}
		parsed, err := syntax.Parse(expression, syntax.Perl)
		if err != nil {
			return nil, fmt.Errorf("an allow-list: %w", err)
		}
		if simple := parsed.Simplify(); whole(simple) && size+len(expression) < MostExpression {
			wholes, size = append(wholes, "(?:"+expression+")"), size+len(expression)
			continue
		}
		a.tests = append(a.tests, newTest(expression, parsed))
	}
	if len(wholes) > 0 {
		expression := strings.Join(wholes, "|")
		a.whole = &test{
			compiled: []func() *regexp.Regexp{lazy(expression)},
			machines: []func() *machine{lazyMachine(expression, 0, false)},
		}
	}
	var texts []string
	number := 0
	size = 0
	for _, t := range a.tests {
		if len(t.needs) == 0 {
			a.always = append(a.always, t)
		}
		for i, text := range t.needs {
			texts, a.needs = append(texts, text), append(a.needs, need{t, t.of[i], number + t.of[i]})
			size += len(text)
		}
		number += len(t.compiled)
	}
	for _, word := range a.stopwords {
		texts, a.needs = append(texts, word), append(a.needs, need{})
		size += len(word)
	}
	if size > mostListed {
		return nil, fmt.Errorf("an allow-list has %d bytes, the limit is %d", size, mostListed)
	}
	if len(texts) > 0 {
		a.least, a.most = shortestOf(texts), len(slices.MaxFunc(texts, func(x, y string) int { return len(x) - len(y) }))
	}
	a.search = sync.OnceValue(func() *automaton.Automaton { return mustFind(texts) })
	return a, nil
}

// allows reports whether the list allows the secret text[from:to] of the match text[begin:end]. line says whether a
// list's expressions match its line.
func (a *allow) allows(text []byte, from, to, begin, end int, line func(*allow) bool, t *Trace) bool {
	all := a.both && len(a.stopwords) > 0 && (a.whole != nil || len(a.tests) > 0)
	expression, word := false, false
	switch a.target {
	case "line", "match": // stop words are of the secret
		if len(a.stopwords) > 0 {
			_, word = a.look(text, from, to, t, func(_, word bool) bool { return word })
		}
		switch {
		case word != all:
		case a.target == "line":
			expression = line(a)
		default:
			expression = a.expresses(text, begin, end, nil) // the trace knows of the secret
		}
	default:
		expression, word = a.look(text, from, to, t, func(expression, word bool) bool { return expression && word || !all && (expression || word) })
	}
	return expression && word || !all && (expression || word)
}

// look looks in text[from:to] for the expressions and the stop words until it is enough.
func (a *allow) look(text []byte, from, to int, t *Trace, enough func(expression, word bool) bool) (expression, word bool) {
	part := text[from:to]
	expression = a.whole != nil && a.whole.matches(0, part, 0) || slices.ContainsFunc(a.always, func(t *test) bool { return t.matches(0, part, 0) })
	if len(part) < a.least || enough(expression, word) || t != nil && t.free(a, text, from, to) {
		return expression, word
	}
	if t != nil {
		t.Work += len(part)
	}
	var tried [mostTried / 64]uint64
	a.search().Find(part, func(i, start int) bool {
		switch n := &a.needs[i]; {
		case n.test == nil:
			word = true
		case expression:
		case n.test.begins[n.alternative]:
			expression = n.test.matches(n.alternative, part, start)
		case n.number < mostTried && tried[n.number/64]>>(n.number%64)&1 != 0:
		default:
			if n.number < mostTried {
				tried[n.number/64] |= 1 << (n.number % 64)
			}
			expression = n.test.matches(n.alternative, part, 0)
		}
		return !enough(expression, word)
	})
	return expression, word
}

// expresses reports whether an expression of the list matches in text[from:to].
func (a *allow) expresses(text []byte, from, to int, t *Trace) bool {
	expression, _ := a.look(text, from, to, t, func(expression, _ bool) bool { return expression })
	return expression
}

// test is an expression that is looked for in short texts, and what rules it out without one: its
// alternatives are tried where a text that each of them needs was found.
type test struct {
	compiled []func() *regexp.Regexp // the alternatives
	machines []func() *machine       // of them
	begins   []bool                  // every match of it begins with the text that it needs
	needs    []string                // texts of which a match has one; none: no text is certain
	of       []int                   // the alternative that needs a text
}

// mostAlternatives limits the alternatives that are tried one by one.
const mostAlternatives = 64

func newTest(expression string, parsed *syntax.Regexp) *test {
	t := &test{}
	parsed = parsed.Simplify()
	alternatives := []*syntax.Regexp{parsed}
	if parsed.Op == syntax.OpAlternate && len(parsed.Sub) <= mostAlternatives {
		alternatives = parsed.Sub
	}
	for i, one := range alternatives {
		needs, begins := starting(one)
		if !begins {
			needs = required(one)
		}
		if len(needs) == 0 || slices.ContainsFunc(needs, foreign) || len(t.needs) > mostRequired {
			*t = test{}
			t.alternative(expression, false)
			return t
		}
		t.alternative(one.String(), begins)
		for _, text := range needs {
			t.needs, t.of = append(t.needs, text), append(t.of, i)
		}
	}
	return t
}

// mostStarting limits the texts with which the matches of an alternative begin.
const mostStarting = 16

// starting returns the texts with which every match begins; ok is false if there are many, or a short one.
func starting(one *syntax.Regexp) (starts []string, ok bool) {
	starts, ok = leading(one)
	starts = slices.DeleteFunc(starts, foreign)
	return starts, ok && len(starts) > 0 && len(starts) <= mostStarting && shortestOf(starts) > 2
}

// alternative adds an expression, which can match anywhere in a text, or where it begins.
func (t *test) alternative(expression string, begins bool) {
	t.compiled, t.begins = append(t.compiled, lazy(expression)), append(t.begins, begins)
	if !begins {
		expression = `(?s:.)*?(?:` + expression + `)`
	}
	t.machines = append(t.machines, lazyMachine(expression, 0, begins))
}

// foreign reports whether a text has bytes whose case the search does not fold.
func foreign(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// matches reports whether an alternative matches a text, where it begins or from a place on.
func (t *test) matches(alternative int, text []byte, at int) bool {
	if m := t.machines[alternative](); m != nil {
		if _, ok := m.match(text, at, len(text), nil); !ok || !m.wide {
			return ok
		}
	}
	return t.compiled[alternative]().Match(text)
}

// lazy compiles an expression on first use. An invalid one matches nothing; callers check first.
func lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		re, err := regexp.Compile(expression)
		if err != nil {
			return regexp.MustCompile(`\z\A.`)
		}
		return re
	})
}

// mustFind returns an automaton for texts within the limit of an allow-list.
func mustFind(words []string) *automaton.Automaton {
	a, err := automaton.New(words)
	if err != nil {
		return new(automaton.Automaton)
	}
	return a
}
