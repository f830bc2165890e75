package ruleset

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/secrets/naming"
)

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
	stop := to
	if r.Mode == AtToken {
		if stop, ok = r.extend(text, to, t); !ok {
			return 0, 0, false
		}
	}
	if t == nil {
		return from, stop, r.counts(text, from, to, begin, end, t)
	}
	if stop <= t.Found {
		return 0, 0, false
	}
	if l := &t.last; !l.known || r.sees || l.from != from || l.to != to {
		*l = tried{from: from, to: to, counts: r.counts(text, from, to, begin, end, t), known: true}
	}
	t.last.end, t.last.root = end, t.root
	return from, stop, t.last.counts
}

// match tries the expression in a window, and returns where the secret is and where the match is.
func (r *Rule) match(text []byte, low, high int, t *Trace) (from, to, begin, end int, ok bool) {
	if r.machine != nil && r.Mode != Near {
		if m := r.machine(); m != nil {
			if end, ok = m.match(text, low, high, t); !ok {
				return 0, 0, 0, 0, false
			}
			if t != nil && end <= t.Found {
				return 0, 0, 0, 0, false
			}
			if t != nil && !m.wide && t.last.same(t.root, end) {
				return t.last.from, t.last.to, low, end, true
			}
			if from, to, ok = within(r, m, text, low, end, high); ok {
				return from, to, low, end, true
			}
			if m.wide {
				end = 0
			}
		}
	}
	high = min(high, low+longest)
	m := r.groups(text, low, end, high)
	if m == nil {
		return 0, 0, 0, 0, false
	}
	from, to = r.secret(m)
	return low + from, low + to, low + m[0], low + m[1], true
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
	if from, to, ok = within(r, m, text, n.at, n.end, min(len(text), n.at+r.After)); !ok {
		from, to = r.parts(text, n.at, n.end)
	}
	n.rejected = !r.counts(text, from, to, n.at, n.end, t)
	return from, to, !n.rejected
}

// parts returns where the secret of a match is in it, of which only the expression tells.
func (r *Rule) parts(text []byte, begin, end int) (from, to int) {
	for _, low := range []int{begin, max(0, begin-1)} { // for what an expression says of the byte before
		m := r.submatch(text[low:min(len(text), end+1)])
		if m != nil && low+m[0] == begin {
			from, to = r.secret(m)
			return low + from, low + to
		}
	}
	return begin, end
}

// within returns where the secret is in a match of the machine in text[:high]. ok is false if only the expression
// tells.
func within(r *Rule, m *machine, text []byte, begin, end, high int) (from, to int, ok bool) {
	if !m.wide {
		if from, to, ok = m.secret(text[begin:end], end == high); ok {
			return begin + from, begin + to, true
		}
	}
	if p := r.path(); p != nil {
		if groups := p.groups(text, begin, end, high); groups != nil {
			from, to = r.secret(groups)
			return from, to, true
		}
	}
	return 0, 0, false
}

// exact tries the expression with one byte of left context.
func (r *Rule) exact(text []byte, start int) (from, to int, ok bool) {
	low, before := start-1, byte(' ')
	if start > 0 {
		before = text[low]
	}
	var m []int
	for size := longest; ; size *= 2 {
		high := min(len(text), start+size)
		window := text[max(low, 0):high]
		if start == 0 {
			window = append([]byte{before}, text[:high]...)
		}
		m = r.compiled().FindSubmatchIndex(window)
		if high == len(text) || m != nil && m[1] < len(window) || m == nil && !unbroken(text[start:high]) {
			break // more text changes nothing
		}
	}
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
func (r *Rule) extend(text []byte, to int, t *Trace) (end int, ok bool) {
	if to == 0 || to == len(text) || !isAlnum(text[to-1]) || !isAlnum(text[to]) {
		return to, true
	}
	if r.bounded {
		return to, false
	}
	if t != nil && t.word <= to && to < t.wordEnd {
		return t.wordEnd, true
	}
	end = to
	for end < len(text) && isAlnum(text[end]) {
		end++
	}
	if t != nil {
		t.word, t.wordEnd = to, end
	}
	return end, true
}

// counts reports whether a match is a secret: by entropy, form and allowlists.
func (r *Rule) counts(text []byte, from, to, start, end int, t *Trace) bool {
	secret := text[from:to]
	if r.Entropy > 0 && t.entropy(text, from, to) < r.Entropy-inexact {
		return false
	}
	if r.proves && (t != nil && t.proof.has(from, to) || !r.proven(secret, from, t)) {
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
	return !slices.ContainsFunc(r.allow, func(a *allow) bool { return a.allows(text, from, to, start, end, line, t) })
}

// proven reports whether a secret is proved, and notes which later ones with the same end are not.
func (r *Rule) proven(secret []byte, from int, t *Trace) bool {
	if naming.Secret(secret, r.proof) {
		return true
	}
	if t != nil && len(secret) >= leastCounted {
		t.proof = refused{from + len(secret), from + naming.Refuses(secret, r.proof)}
	}
	return false
}

// unbroken reports whether a text is one word.
func unbroken(text []byte) bool {
	return bytes.IndexFunc(text, func(r rune) bool { return r <= ' ' || r == '"' || r == '\'' }) < 0
}
