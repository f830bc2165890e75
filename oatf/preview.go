package oatf

import (
	"strconv"
	"unicode/utf8"
)

// previewLength is how many bytes of the author's text an error message repeats.
const previewLength = 60

// preview cuts long text for an error message, between code points.
func preview(s string) string {
	if len(s) <= previewLength {
		return s
	}
	end := previewLength
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// quoted is the preview in quotes.
func quoted(s string) string { return strconv.Quote(preview(s)) }
