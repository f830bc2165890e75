package secrets

import (
	"bytes"

	"github.com/cupel-dev/cupel/internal/secrets/naming"
	"github.com/cupel-dev/cupel/internal/secrets/personal"
)

// Member reports whether a member's value is a secret because of its name, and by which rule. For a
// cookie or an authorization header that is the whole value.
func (s *Set) Member(name, value []byte) (rule string, secret bool) {
	if !s.options.Context || len(value) == 0 || bytes.HasPrefix(value, []byte(Stars)) {
		return "", false
	}
	switch naming.Classify(name) {
	case naming.Authorization:
		_, _, secret = credential(value, true)
		return ruleAuthorization, secret
	case naming.Cookie:
		return ruleCookie, cookie(value)
	case naming.Strong:
		secret = naming.Secret(value, naming.Anything) && !titled(value)
	case naming.Phrase:
		secret = len(value) >= 6 && naming.Secret(bytes.ReplaceAll(value, []byte(" "), []byte("-1")), naming.Anything)
	case naming.Weak:
		secret = weak(value)
	case naming.Session:
		secret = naming.Secret(value, naming.Random) && !naming.Identifier(value)
	case naming.None, naming.Query:
	}
	return ruleMember, secret
}

// Plain reports whether a member's name does not affect its value.
func (s *Set) Plain(name []byte) bool {
	return (!s.options.Context || naming.Classify(name) <= naming.Query) && !s.ofTelephone(name)
}

// Number reports whether a number is a secret because of its member's name: a password of at least four digits.
func (s *Set) Number(name, number []byte) (rule string, secret bool) {
	if !s.options.Context || naming.Classify(name) != naming.Strong || len(number) < 6 {
		return "", false
	}
	for _, c := range number {
		if c < '0' || c > '9' {
			return "", false
		}
	}
	return ruleMember, true
}

// Inherits reports whether the texts of an array count as values of its name, as for repeated headers.
func (s *Set) Inherits(name []byte) bool {
	return s.options.Context && naming.Classify(name) > naming.Query
}

func cookie(value []byte) bool {
	if bytes.IndexByte(value, '=') < 0 {
		return naming.Secret(bytes.TrimSpace(value), naming.Random)
	}
	for part := range bytes.SplitSeq(value, []byte{';'}) {
		name, v, ok := bytes.Cut(part, []byte{'='})
		if name = bytes.TrimSpace(name); ok && !attribute(name) && cookieSecret(name, v) {
			return true
		}
	}
	return false
}

// Telephone reports whether a value is a telephone number because of its member's name.
func (s *Set) Telephone(name, value []byte) bool {
	return s.ofTelephone(name) && personal.Telephone(value)
}

// ofTelephone reports whether the name of a member is that of a telephone's number.
func (s *Set) ofTelephone(name []byte) bool {
	if s.options.Personal&personal.Phone == 0 {
		return false
	}
	if endsFold(name, "number") {
		name = bytes.TrimRight(name[:len(name)-len("number")], "_- ")
	}
	for _, word := range telephoneNames {
		if endsFold(name, word) {
			return true
		}
	}
	return false
}

// telephoneNames are suffixes of such names.
var telephoneNames = [...]string{"phone", "mobile", "msisdn", "fax", "whatsapp"}

func endsFold(text []byte, word string) bool {
	return len(text) >= len(word) && hasFold(text, len(text)-len(word), word)
}

// rounds limits repeated redaction: hiding bytes can reveal other secrets.
const rounds = 8

// Redact hides everything found in text, and the given hits, until nothing more is found. It
// returns the result and the hits by round; those of the first are offsets in text. If the limit is
// reached, the whole text is hidden. with returns the replacement of a secret; nil: three stars.
// out is text itself if nothing is found, else valid until the next call.
func (s *Scanner) Redact(text []byte, given []Hit, with func(h *Hit, hidden []byte) string) (out []byte, found []Hit) {
	for i := range rounds {
		s.Scan(text)
		if i == 0 && len(given) > 0 {
			s.hits = append(s.hits, given...)
			s.hits = s.merge()
		}
		if len(s.hits) == 0 {
			return text, found
		}
		found = append(found, s.hits...)
		s.out = Apply(s.out[:0], text, s.hits, with)
		s.before = append(s.before[:0], s.out...)
		text = s.before
	}
	return []byte(Stars), found
}
