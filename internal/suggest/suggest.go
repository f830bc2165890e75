// Package suggest finds the intended name for a mistyped one.
package suggest

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLength limits the length of a mistyped name.
const maxLength = 64

// Nearest returns the candidate closest to word, or "": at most one edit per three letters (insert, delete, replace,
// swap; case is ignored), or a prefix of at least three letters. The first of equally close ones wins.
func Nearest(word string, candidates []string) string {
	if len(word) > maxLength {
		return ""
	}
	best, least := "", max(1, len(word)/3)+1
	if utf8.RuneCountInString(word) < 3 && strings.ContainsFunc(word, isSign) {
		return "" // a one-character edit makes another operator
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

// Alike reports whether two words differ only in case, hyphens, underscores and blanks.
func Alike(word, other string) bool { return letters(word) == letters(other) }

func letters(word string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == ' ' {
			return -1
		}
		return unicode.ToLower(r)
	}, word)
}

// Within reports whether two words are at most edits edits apart, as in Nearest.
func Within(word, other string, edits int) bool {
	return len(word) <= maxLength && len(other) <= maxLength && distance(strings.ToLower(word), strings.ToLower(other)) <= edits
}

func isSign(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// Hint returns `did you mean "x"?`, or "" without a close candidate.
func Hint(word string, candidates []string) string {
	if near := Nearest(word, candidates); near != "" {
		return `did you mean "` + near + `"?`
	}
	return ""
}

// KnownHint lists all candidates.
func KnownHint(candidates []string) string { return "known: " + strings.Join(candidates, ", ") }

// HintOrKnown returns Hint, or KnownHint without a close candidate.
func HintOrKnown(word string, candidates []string) string {
	if hint := Hint(word, candidates); hint != "" {
		return hint
	}
	return KnownHint(candidates)
}

// distance returns the optimal string alignment distance of two words.
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
