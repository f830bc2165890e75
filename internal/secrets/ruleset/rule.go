package ruleset

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

	"github.com/cupel-dev/cupel/internal/secrets/naming"
)

// Mode selects where a rule's expression is tried.
type Mode uint8

const (
	AtToken Mode = iota // at a keyword that starts the expression
	AtName              // at a name followed by an operator and a value
	Near                // in a window around a keyword
	Exact               // as written, without extended ends
)

// Rule is an immutable rule, safe for concurrent use.
type Rule struct {
	ID, Description string
	Expression      string // as given
	Origin          Origin
	Entropy         float64
	Keywords        []string // lower-case keywords for the automaton
	Mode            Mode
	Before, After   int // window around a keyword in bytes
	Shortest        int // shortest match in bytes

	compiled func() *regexp.Regexp
	short    [len(widths)]func() *regexp.Regexp // for texts of fewer bytes
	machine  func() *machine                    // of the expression that is tried; nil: a search
	path     func() *path                       // of the machine
	name     func() *regexp.Regexp              // for AtName; the rule's expression matches the value
	quoted   bool                               // the value can start with a quote
	literal  bool                               // the keywords are whole names
	names    []string                           // them, the longest first
	group    int
	may      *[256]bool // bytes of a match; nil: any
	bounded  bool       // the token must end with the match
	loose    bool       // a token can start inside a word
	sees     bool       // what surrounds a secret decides, too
	proof    naming.Proof
	proves   bool
	allow    []*allow
}

const (
	libraryName  = `[\w.-]{0,50}?`
	libraryValue = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}`
	libraryEnd   = `(?:[\x60'"\s;]|\\[nr]|$)`
	nearEnd      = `(?:[^0-9A-Za-z_]|$)` // of rules with a window, for the library's
)

// longest is the length from which a match is unbounded. It limits what package regexp reads, and the window of a rule
// with keywords inside of it.
const longest = 4096

// endless is the length of an unbounded match.
const endless = math.MaxInt32

// window returns how far a match can reach.
func window(parsed *syntax.Regexp) int {
	if n := longestOf(parsed); n < longest {
		return n + 4
	}
	return endless
}

// MostID limits the id of a rule in bytes.
const MostID = 64

// label begins a named group: in the library they say of what kind a token is, and not which part of it is the secret.
var label = regexp.MustCompile(`\(\?P<\w+>`)

func newRule(form *FormRule, origin Origin) (*Rule, error) {
	switch {
	case form.ID == "":
		return nil, errors.New("the rule has no id")
	case len(form.ID) > MostID:
		return nil, fmt.Errorf("the id has %d bytes, the limit is %d", len(form.ID), MostID)
	case form.Regex == "":
		return nil, errors.New("the rule has no regex")
	case len(form.Regex) > MostExpression:
		return nil, fmt.Errorf("an expression has %d bytes, the limit is %d", len(form.Regex), MostExpression)
	}
	expression := form.Regex
	if origin == Library {
		expression = label.ReplaceAllString(expression, "(?:")
	}
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil, err
	}
	r := &Rule{ID: form.ID, Description: form.Description, Expression: expression, Origin: origin, Entropy: form.Entropy, group: form.SecretGroup}
	if r.group > parsed.MaxCap() {
		return nil, fmt.Errorf("secretGroup %d, the expression has %d groups", r.group, parsed.MaxCap())
	}
	for i := range form.Allowlists {
		if a, err := newAllow(&form.Allowlists[i]); err != nil {
			return nil, err
		} else if a != nil {
			r.allow = append(r.allow, a)
			r.sees = r.sees || a.target == "line" || a.target == "match"
		}
	}
	if err := r.prove(form.Proof); err != nil {
		return nil, err
	}
	return r, r.prepare(form.Keywords)
}

func (r *Rule) prove(proof string) error {
	names := []string{"anything", "plausible", "coined", "random", "certain"}
	if proof == "" {
		return nil
	}
	i := slices.Index(names, proof)
	if i < 0 {
		return fmt.Errorf("proof %q, expected one of %s", proof, strings.Join(names, ", "))
	}
	r.proof, r.proves = naming.Proof(i), true
	return nil
}

// prepare chooses the rule's mode.
func (r *Rule) prepare(keywords []string) error {
	expression := r.Expression
	switch {
	case r.Origin == ADR006:
		r.Mode = Exact
	case strings.Count(expression, libraryValue) == 1 && !strings.Contains(expression, "|\\b("):
		return r.prepareName()
	case strings.Contains(expression, libraryValue):
		r.Mode = AtName
		expression = strings.ReplaceAll(expression, libraryName, "")
	default:
		expression, r.loose = cutStart(expression)
		var end bool
		expression, end = cutEnd(expression)
		r.bounded = end
	}
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return err
	}
	parsed = parsed.Simplify()
	r.Shortest, r.may = shortest(parsed), alphabet(parsed)
	r.Before, r.After = 0, window(parsed)
	starts, ok := leading(parsed)
	if ok && !slices.ContainsFunc(starts, func(s string) bool { return len(s) < 2 }) {
		r.Keywords = starts
	} else if r.Mode != Exact {
		r.Mode, r.Keywords, r.After = Near, nil, min(r.After, longest+4)
		for _, keyword := range keywords {
			r.Keywords = append(r.Keywords, strings.ToLower(keyword))
		}
		r.Before, expression = min(r.After, 200), r.Expression
		if rest, cut := cutEnd(expression); cut {
			expression = rest + nearEnd
		}
	}
	if len(r.Keywords) == 0 || slices.ContainsFunc(r.Keywords, func(k string) bool { return len(k) < 2 }) {
		return errors.New("the rule needs keywords of at least two bytes, one in every match")
	}
	switch r.Mode {
	case AtToken, AtName:
		r.tried(expression, false)
		expression = `^(?:` + expression + `)`
	case Exact:
		expression = `^(?s:.)(?:` + expression + `)`
	case Near:
		r.tried(expression, true)
	}
	r.widen(expression)
	return nil
}

// tried makes the machine of the expression that is tried.
func (r *Rule) tried(expression string, anywhere bool) {
	r.machine = lazyMachine(expression, r.group, anywhere)
	r.path = sync.OnceValue(func() *path { return newPath(expression, anywhere, r.machine().wide) })
}

// libraryTail is what the library's expressions allow between a name and its operator.
const libraryTail = `(?:[ \t\w.-]{0,20})[\s'"]{0,3}`

// prepareName splits an expression into name and value; the part between them is parsed without an expression.
func (r *Rule) prepareName() error {
	name, value, _ := strings.Cut(r.Expression, libraryValue)
	name = strings.ReplaceAll(name, libraryName, "")
	if closed, ok := strings.CutSuffix(name, libraryTail+")"); ok {
		name = closed + ")"
	}
	name = strings.TrimSuffix(name, libraryTail)
	if strings.HasPrefix(name, "(?i)") {
		value = "(?i)" + value
	}
	parsedName, err := syntax.Parse(name, syntax.Perl)
	if err != nil {
		return err
	}
	parsed, err := syntax.Parse(value, syntax.Perl)
	if err != nil {
		return err
	}
	parsed = parsed.Simplify()
	starts, ok := leading(parsedName.Simplify())
	if !ok || slices.ContainsFunc(starts, func(s string) bool { return len(s) < 2 }) {
		return errors.New("the name does not begin with a keyword of at least two bytes")
	}
	r.Mode, r.Keywords = AtName, starts
	if _, r.literal = prefixes(parsedName.Simplify()); r.literal {
		r.names = slices.SortedStableFunc(slices.Values(starts), func(a, b string) int { return len(b) - len(a) })
	}
	r.Shortest, r.may = shortest(parsed), alphabet(parsed)
	r.After = window(parsed)
	r.quoted = strings.HasPrefix(strings.TrimPrefix(value, "(?i)"), `("`)
	r.group = max(0, r.group-parsedName.MaxCap())
	r.tried(value, false)
	r.name = lazy(`^(?:` + name + `)`)
	r.widen(`^(?:` + value + `)`)
	return nil
}

// cutStart removes a word boundary from the start of an expression, because the scanner checks more boundaries.
func cutStart(expression string) (rest string, none bool) {
	for _, flags := range []string{"(?i)", ""} {
		if rest, ok := strings.CutPrefix(expression, flags+`\b`); ok {
			return flags + rest, false
		}
	}
	return expression, true
}

// cutEnd removes the library's ends and a word boundary from the end of an expression.
func cutEnd(expression string) (rest string, cut bool) {
	for _, end := range []string{libraryEnd, `(?:[\x60'"\s;]|\\[nr]|$|\b)`, `(?:[^\w-]|\z)`, `\b`} {
		if rest, ok := strings.CutSuffix(expression, end); ok {
			return rest, true
		}
	}
	return expression, false
}

// widths are lengths of texts for which there is an expression without the bounds that are as large, which package
// regexp matches much faster.
var widths = [...]int{64, 200}

// widen compiles an expression for all texts and for short ones.
func (r *Rule) widen(expression string) {
	r.compiled = lazy(expression)
	for i, width := range widths {
		r.short[i] = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(widened(expression, width)) })
	}
}
