package report

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/cupel-dev/cupel/finding"
)

// narrowest is the minimum useful width of a source line.
const narrowest = 20

// Columns returns the number of terminal columns of text.
func Columns(text string) int { return columns(text, utf8.RuneCountInString(text)) }

// columns returns the terminal columns of the first n code points. East Asian wide characters count two, combining
// marks none.
func columns(text string, n int) int {
	total := 0
	for _, r := range text {
		if n--; n < 0 {
			break
		}
		total += runeColumns(r)
	}
	return total
}

func runeColumns(r rune) int {
	switch k := width.LookupRune(r).Kind(); {
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case k == width.EastAsianWide, k == width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Fit shortens text to a number of terminal columns, marked with "…" if there is room.
func Fit(text string, limit int) string {
	total, end := 0, 0 // end: before the mark
	for i, r := range text {
		if total < limit {
			end = i
		}
		if total += runeColumns(r); total > limit {
			if limit <= 0 {
				return ""
			}
			return text[:end] + "…"
		}
	}
	return text
}

// window cuts a snippet to limit terminal columns around its caret. 0 or less keeps it whole.
func window(s finding.Snippet, limit int) finding.Snippet {
	if limit <= 0 || columns(s.Text, utf8.RuneCountInString(s.Text)) <= limit {
		return s
	}
	limit = max(limit, narrowest)
	runes := []rune(s.Text)
	from := s.Caret
	for taken := 0; from > 0 && taken < limit*2/5; from-- {
		taken += runeColumns(runes[from-1])
	}
	to := from
	for taken := 2; to < len(runes) && taken+runeColumns(runes[to]) <= limit; to++ {
		taken += runeColumns(runes[to])
	}
	text := string(runes[from:to])
	caret := s.Caret - from
	if from > 0 {
		text, caret = "…"+text, caret+1
	}
	if to < len(runes) {
		text += "…"
	}
	return finding.Snippet{Text: text, Caret: caret, Width: max(1, min(s.Width, to-s.Caret))}
}

func cut(text string, n int) string {
	for ; n > 0 && text != ""; n-- {
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	return text
}
