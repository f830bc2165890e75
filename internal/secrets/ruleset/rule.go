package ruleset

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/secrets/automaton"
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
	name     func() *regexp.Regexp              // for AtName; the rule's expression matches the value
	quoted   bool                               // the value can start with a quote
	literal  bool                               // the keywords are whole names
	names    []string                           // them, the longest first
	group    int
	may      *[256]bool // bytes of a match; nil: any
	bounded  bool       // the token must end with the match
	loose    bool       // a token can start inside a word
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

// longest limits a match of an unbounded expression.
const longest = 4096

// label begins a named group: in the library they say of what kind a token is, and not which part of it is the secret.
var label = regexp.MustCompile(`\(\?P<\w+>`)

func newRule(form *FormRule, origin Origin) (*Rule, error) {
	switch {
	case form.ID == "":
		return nil, errors.New("the rule has no id")
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
	r.Before, r.After = 0, min(longestOf(parsed), longest)+4
	starts, ok := leading(parsed)
	if ok && !slices.ContainsFunc(starts, func(s string) bool { return len(s) < 2 }) {
		r.Keywords = starts
	} else if r.Mode != Exact {
		r.Mode, r.Keywords = Near, nil
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
		r.machine = lazyMachine(expression, r.group, false)
		expression = `^(?:` + expression + `)`
	case Exact:
		expression = `^(?s:.)(?:` + expression + `)`
	case Near:
		r.machine = lazyMachine(expression, r.group, true)
	}
	r.widen(expression)
	return nil
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
	r.After = min(longestOf(parsed), longest) + 4
	r.quoted = strings.HasPrefix(strings.TrimPrefix(value, "(?i)"), `("`)
	r.group = max(0, r.group-parsedName.MaxCap())
	r.machine = lazyMachine(value, r.group, false)
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

// Find tries the rule at a keyword at start and returns the range of the secret. What it reads is kept in a trace of
// the text, which can be nil.
func (r *Rule) Find(text []byte, start int, t *Trace) (from, to int, ok bool) {
	low, high := max(0, start-r.Before), min(len(text), start+r.After)
	switch r.Mode {
	case Exact:
		return r.exact(text, start)
	case AtToken:
		if !r.begins(text, start) || !r.room(text, start) {
			return 0, 0, false
		}
	case AtName:
		if r.name != nil {
			return r.findValue(text, start, t)
		}
	case Near:
		if m := r.machine(); m != nil && !m.wide {
			return r.findNear(m, text, low, high, t)
		}
	}
	from, to, begin, end, ok := r.match(text, low, high, t)
	if !ok {
		return 0, 0, false
	}
	if r.Mode == AtToken {
		if to, ok = r.extend(text, to); !ok {
			return 0, 0, false
		}
	}
	return from, to, r.counts(text, from, to, begin, end, t)
}

// match tries the expression in a window, and returns where the secret is and where the match is.
func (r *Rule) match(text []byte, low, high int, t *Trace) (from, to, begin, end int, ok bool) {
	if r.machine != nil && r.Mode != Near {
		if m := r.machine(); m != nil {
			if end, ok = m.match(text, low, high, t); !ok {
				return 0, 0, 0, 0, false
			}
			if m.wide {
				end = 0
			} else if from, to, ok = m.secret(text[low:end], end == high); ok {
				return low + from, low + to, low, end, true
			}
		}
	}
	m := r.groups(text, low, end, high)
	if m == nil {
		return 0, 0, 0, 0, false
	}
	from, to = r.secret(m)
	return low + from, low + to, low + m[0], low + m[1], true
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

// groups returns what the expression finds in a window. The machine has found that the match ends at end; 0: there is
// none that tells.
func (r *Rule) groups(text []byte, low, end, high int) []int {
	if part := end + utf8.UTFMax; end > 0 && part < high {
		// What it says of the end of a match that ends there holds for the whole window.
		if m := r.submatch(text[low:part]); m != nil && low+m[1] == end {
			return m
		}
	}
	return r.submatch(text[low:high])
}

func (r *Rule) submatch(text []byte) []int {
	for i, width := range widths {
		if len(text) < width {
			return r.short[i]().FindSubmatchIndex(text)
		}
	}
	return r.compiled().FindSubmatchIndex(text)
}

// findNear looks for the first match within a window. The windows of keywords overlap: each place is tried once.
func (r *Rule) findNear(m *machine, text []byte, low, high int, t *Trace) (from, to int, ok bool) {
	if t == nil {
		t = new(Trace)
	}
	n := &t.near
	if low < n.from || low > n.at {
		*n = nearby{from: low, at: low}
	}
	for ; !n.match && n.at+r.Shortest <= high; n.at++ {
		if r.may != nil && !r.may[text[n.at+r.Shortest-1]] {
			n.at += r.Shortest - 1
			continue
		}
		if n.end, n.match = m.match(text, n.at, min(len(text), n.at+r.After), t); n.match {
			break
		}
	}
	if !n.match || n.end > high || n.rejected {
		return 0, 0, false
	}
	if from, to, ok = m.secret(text[n.at:n.end], n.end == len(text)); !ok {
		from, to = r.parts(text, n.at, n.end)
	}
	from, to = n.at+from, n.at+to
	n.rejected = !r.counts(text, from, to, n.at, n.end, t)
	return from, to, !n.rejected
}

// parts returns where the secret of a match is in it, of which only the expression tells.
func (r *Rule) parts(text []byte, begin, end int) (from, to int) {
	for _, low := range []int{begin, max(0, begin-1)} { // for what an expression says of the byte before
		m := r.submatch(text[low:min(len(text), end+1)])
		if m != nil && low+m[0] == begin {
			from, to = r.secret(m)
			return low + from - begin, low + to - begin
		}
	}
	return 0, end - begin
}

const mostName = 100

// findValue tries an AtName rule: the name at start, the operator, then the value.
func (r *Rule) findValue(text []byte, start int, t *Trace) (from, to int, ok bool) {
	at, first, ok := r.value(text, start)
	if !ok {
		return 0, 0, false
	}
	return r.FindValue(text, start, at, first, t)
}

// FindValue tries a rule at a value located by [Rule.Value].
func (r *Rule) FindValue(text []byte, start, at, first int, t *Trace) (from, to int, ok bool) {
	if !r.quoted {
		first = at
	}
	for ; at >= first; at-- {
		if !r.room(text, at) {
			continue
		}
		if from, to, _, end, ok := r.match(text, at, min(len(text), at+r.After), t); ok {
			return from, to, r.counts(text, from, to, start, end, t)
		}
	}
	return 0, 0, false
}

// Value returns where the value of the name at start begins: between first and at. has is false for
// rules without names.
func (r *Rule) Value(text []byte, start int) (at, first int, ok, has bool) {
	if r.name == nil {
		return 0, 0, false, false
	}
	at, first, ok = r.value(text, start)
	return at, first, ok, true
}

// nameEnd returns the end of the name at start.
func (r *Rule) nameEnd(text []byte, start int) (end int, ok bool) {
	if r.literal {
		if start >= len(text) {
			return 0, false
		}
		first := naming.Lower(text[start])
		for _, keyword := range r.names {
			if n := start + len(keyword); keyword[0] == first && n <= len(text) && foldsTo(text[start:n], keyword) {
				return n, true
			}
		}
		return 0, false
	}
	m := r.name().FindIndex(text[start:min(len(text), start+mostName)])
	if m == nil {
		return 0, false
	}
	return start + m[1], true
}

// foldsTo reports whether a text is a keyword of the same length, whatever the case of ASCII letters.
func foldsTo(text []byte, keyword string) bool {
	for i, c := range text {
		if k := keyword[i]; c != k && (c^k != 'a'-'A' || !isAlnum(c) || !isAlnum(k)) {
			return false
		}
	}
	return true
}

// value reads from the name to the value, which begins between first and at.
func (r *Rule) value(text []byte, start int) (at, first int, ok bool) {
	at, ok = r.nameEnd(text, start)
	if !ok {
		return 0, 0, false
	}
	at = skip(text, at, 20, func(c byte) bool { return isAlnum(c) || c == '_' || c == '.' || c == '-' || c == ' ' || c == '\t' })
	at = skip(text, at, 3, func(c byte) bool { return isSpace(c) || c == '\'' || c == '"' })
	size := operatorSize(text[at:])
	if size == 0 {
		return 0, 0, false
	}
	first = at + size
	return skip(text, first, 5, func(c byte) bool { return isSpace(c) || c == '\'' || c == '"' || c == '`' || c == '=' }), first, true
}

func skip(text []byte, i, most int, class func(byte) bool) int {
	for n := 0; n < most && i < len(text) && class(text[i]); n++ {
		i++
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' && c != '\v' }

// operatorSize returns the length of an operator of the library at the start of text.
func operatorSize(text []byte) int {
	if len(text) == 0 {
		return 0
	}
	rest := text[1:]
	switch text[0] {
	case ':':
		switch {
		case bytes.HasPrefix(rest, []byte("::=")):
			return 4
		case bytes.HasPrefix(rest, []byte(":=")):
			return 3
		case bytes.HasPrefix(rest, []byte("=")):
			return 2
		}
		return 1
	case '=':
		if bytes.HasPrefix(rest, []byte(">")) {
			return 2
		}
		return 1
	case '|', '?':
		if len(rest) > 0 && (text[0] == '|' && rest[0] == '|' || text[0] == '?' && rest[0] == '=') {
			return 2
		}
	case '>', ',':
		return 1
	}
	return 0
}

// exact tries the expression with one byte of left context.
func (r *Rule) exact(text []byte, start int) (from, to int, ok bool) {
	low, high := start-1, min(len(text), start+longest)
	window := text[max(low, 0):high]
	if start == 0 {
		window = append([]byte{' '}, text[:high]...)
	}
	m := r.compiled().FindSubmatchIndex(window)
	if m == nil {
		return 0, 0, false
	}
	if len(m) == 2 {
		return start, low + m[1], true
	}
	from, to = r.secret(m)
	return low + from, low + to, true
}

// secret returns the secret's group: the rule's, else the first matched, else the whole match.
func (r *Rule) secret(m []int) (from, to int) {
	if r.group > 0 && m[2*r.group] >= 0 {
		return m[2*r.group], m[2*r.group+1]
	}
	for i := 2; i < len(m) && r.group == 0; i += 2 {
		if m[i] >= 0 && m[i] < m[i+1] {
			return m[i], m[i+1]
		}
	}
	return m[0], m[1]
}

// begins reports whether a token can start at start. A token with a separator in its prefix, such
// as ghp_, can follow a word.
func (r *Rule) begins(text []byte, start int) bool {
	if start == 0 || !isAlnum(text[start-1]) {
		return true
	}
	i := 0
	for ; i < 6 && start+i < len(text) && strings.IndexByte("_-.$", text[start+i]) < 0; i++ {
	}
	if i < 2 || i == 6 || start+i == len(text) {
		return false
	}
	c := text[start-1]
	return r.loose || 'a' <= c && c <= 'z'
}

// room reports whether the shortest match fits, by its bytes.
func (r *Rule) room(text []byte, start int) bool {
	if start+r.Shortest > len(text) {
		return false
	}
	if r.may != nil {
		for _, c := range text[start : start+r.Shortest] {
			if !r.may[c] {
				return false
			}
		}
	}
	return true
}

// extend moves a token's end to the end of its word, as the expression requires.
func (r *Rule) extend(text []byte, to int) (end int, ok bool) {
	if to == 0 || !isAlnum(text[to-1]) {
		return to, true
	}
	end = to
	for end < len(text) && end < to+longest && isAlnum(text[end]) {
		end++
	}
	return end, end == to || !r.bounded
}

// counts reports whether a match is a secret: by entropy, form and allowlists.
func (r *Rule) counts(text []byte, from, to, start, end int, t *Trace) bool {
	secret := text[from:to]
	if r.Entropy > 0 && Entropy(secret) < r.Entropy {
		return false
	}
	if r.proves && !naming.Secret(secret, r.proof) {
		return false
	}
	if len(r.allow) == 0 {
		return true
	}
	if r.Mode == AtName && naming.Code(secret) {
		return false
	}
	for n := 0; r.Mode == AtName && n < 50 && start > 0 && (isAlnum(text[start-1]) || strings.IndexByte("_.-", text[start-1]) >= 0); n++ {
		start--
	}
	line := func(a *allow) bool { return t.lineExpresses(a, text, start, end) }
	return !slices.ContainsFunc(r.allow, func(a *allow) bool { return a.allows(secret, text[start:end], line) })
}

// Entropy returns the Shannon entropy in bits per byte.
func Entropy(text []byte) float64 {
	var counts [256]int32
	for _, c := range text {
		counts[c]++
	}
	if len(text) == 0 {
		return 0
	}
	sum := 0.0
	for _, c := range text {
		if n := counts[c]; n > 1 {
			sum += float64(n) * logarithm(int(n))
			counts[c] = 0
		}
	}
	return logarithm(len(text)) - sum/float64(len(text))
}

// logarithm returns the binary logarithm of a number above 0.
func logarithm(n int) float64 {
	if n < len(logarithms) {
		return logarithms[n]
	}
	return math.Log2(float64(n))
}

// logarithms are those of small numbers.
var logarithms = func() (all [128]float64) {
	for n := 1; n < len(all); n++ {
		all[n] = math.Log2(float64(n))
	}
	return all
}()

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// mustFind returns an automaton for texts within the limit of an allow-list.
func mustFind(words []string) *automaton.Automaton {
	a, err := automaton.New(words)
	if err != nil {
		return new(automaton.Automaton)
	}
	return a
}
