// Package suggest finds the name that a mistyped one was meant to be.
package suggest

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLength bounds the work: nothing that long is a mistyped name.
const maxLength = 64

// Nearest returns the candidate closest to word, or "" when none is close: at most
// one edit for each three letters (insert, drop, change or swap neighbours; letter
// case is free), or an unfinished word of three letters. Of equally close ones the
// first wins.
func Nearest(word string, candidates []string) string {
	if len(word) > maxLength {
		return ""
	}
	best, least := "", max(1, len(word)/3)+1
	if utf8.RuneCountInString(word) < 3 && strings.ContainsFunc(word, isSign) {
		return "" // one sign more or less is another operator
	}
	for _, c := range candidates {
		if len(c) > maxLength {
			continue
		}
		a, b := strings.ToLower(word), strings.ToLower(c)
		d := distance(a, b)
		if len(a) >= 3 && strings.HasPrefix(b, a) {
			d = min(d, 1)
		}
		if d < least {
			best, least = c, d
		}
	}
	return best
}

// Alike says whether two words are one, spelled in two ways: letter case, hyphens, underscores
// and blanks aside.
func Alike(word, other string) bool { return letters(word) == letters(other) }

func letters(word string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == ' ' {
			return -1
		}
		return unicode.ToLower(r)
	}, word)
}

// Within says whether two words are at most that many edits apart, as Nearest counts them.
func Within(word, other string, edits int) bool {
	return len(word) <= maxLength && len(other) <= maxLength && distance(strings.ToLower(word), strings.ToLower(other)) <= edits
}

func isSign(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// Hint is `did you mean "x"?`, or "" when nothing is close.
func Hint(word string, candidates []string) string {
	if near := Nearest(word, candidates); near != "" {
		return `did you mean "` + near + `"?`
	}
	return ""
}

// KnownHint is a list of all that a word can be.
func KnownHint(candidates []string) string { return "known: " + strings.Join(candidates, ", ") }

// HintOrKnown is Hint, or KnownHint when nothing is close.
func HintOrKnown(word string, candidates []string) string {
	if hint := Hint(word, candidates); hint != "" {
		return hint
	}
	return KnownHint(candidates)
}

// distance is the optimal string alignment distance of two words.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	before, above, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row[0] = i
		for j := 1; j <= len(t); j++ {
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+differ(s[i-1], t[j-1]))
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(t)]
}

func differ(a, b rune) int {
	if a == b {
		return 0
	}
	return 1
}
