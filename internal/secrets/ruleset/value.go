package ruleset

import (
	"bytes"

	"github.com/cupel-dev/cupel/internal/secrets/naming"
)

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

// Named reports whether every match of the rule is a name, an operator and a value.
func (r *Rule) Named() bool { return r.name != nil }

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

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
