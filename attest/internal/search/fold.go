package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Form is what is done to a text and to the words sought in it before they are
// compared.
type Form struct {
	Fold bool // Unicode case folding: ς = σ, K = K, ß = ss
	NFC  bool // Unicode normalization form C
}

// Apply brings s into the form.
func (f Form) Apply(s string) string {
	if f.NFC {
		s = norm.NFC.String(s)
	}
	if f.Fold {
		s = fold(s)
	}
	return s
}

// fold is full Unicode case folding. Letters of ASCII, which most texts are made of,
// take no table look-up.
func fold(s string) string {
	upper, ascii := false, true
	for i := 0; i < len(s) && ascii; i++ {
		upper = upper || 'A' <= s[i] && s[i] <= 'Z'
		ascii = s[i] < utf8.RuneSelf
	}
	switch {
	case !ascii:
		return cases.Fold().String(s)
	case upper:
		return strings.ToLower(s)
	}
	return s
}

// ContainsWord says whether word occurs in text with no letter or digit directly
// before or after it.
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

// wordRune says whether r belongs to a word. utf8.RuneError, which stands for the
// ends of a text, does not.
func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_')
}
