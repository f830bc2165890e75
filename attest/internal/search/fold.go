package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Form is the normalization of texts and words before a comparison.
type Form struct {
	Fold       bool // Unicode case folding: ς = σ, K = K, ß = ss
	SimpleFold bool // simple case folding as in regular expressions: ß ≠ ss
	NFC        bool // Unicode normalization form C
}

// Apply brings s into the form.
func (f Form) Apply(s string) string {
	if f.NFC {
		s = norm.NFC.String(s)
	}
	switch {
	case f.Fold:
		return fold(s, cases.Fold().String)
	case f.SimpleFold:
		return fold(s, simpleFold)
	}
	return s
}

// fold folds case, with the given function beyond ASCII. ASCII letters need no table lookup.
func fold(s string, unicode func(string) string) string {
	upper, ascii := false, true
	for i := 0; i < len(s) && ascii; i++ {
		upper = upper || 'A' <= s[i] && s[i] <= 'Z'
		ascii = s[i] < utf8.RuneSelf
	}
	switch {
	case !ascii:
		return unicode(s)
	case upper:
		return strings.ToLower(s)
	}
	return s
}

// simpleFold replaces each character by the representative of its simple folds. It caches results, because a
// language has few characters.
func simpleFold(s string) string {
	var known [256]struct{ from, to rune }
	return strings.Map(func(r rune) rune {
		k := &known[r&0xff]
		if k.from != r {
			k.from, k.to = r, foldRune(r)
		}
		return k.to
	}, s)
}

// foldRune returns the first character in the cycle of simple folds of r, or the lower-case one if it has ASCII
// letters.
func foldRune(r rune) rune {
	first := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		first = min(first, next)
	}
	if 'A' <= first && first <= 'Z' {
		return first + 'a' - 'A'
	}
	return first
}

// ContainsWord reports whether word occurs in text without a letter or digit directly before or after it.
func ContainsWord(text, word string) bool {
	for start := 0; ; {
		i := strings.Index(text[start:], word)
		if i < 0 {
			return false
		}
		i += start
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(word):])
		if !wordRune(before) && !wordRune(after) {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		start = i + size
	}
}

// wordRune reports whether r belongs to a word. utf8.RuneError, which marks the ends of a text, does not.
func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_')
}
