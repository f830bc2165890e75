package report

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/finding"
)

// headline is `file:line:col: error: message [RULE]`, without the parts of the place
// that a finding lacks.
func headline(paint palette, f finding.Finding) string {
	place := f.File
	if f.Line > 0 {
		place += ":" + strconv.Itoa(f.Line)
	}
	if f.Line > 0 && f.Column > 0 {
		place += ":" + strconv.Itoa(f.Column)
	}
	if place != "" {
		place = paint.strong(visible(place)+":") + " "
	}
	return place + paint.severity(f.Severity)(f.Severity.String()+":") + " " + visible(f.Message) + " " + paint.faint("["+f.Rule+"]")
}

// comparison is the message with what was expected and found, for formats without
// members of their own for those.
func comparison(f finding.Finding) string {
	if f.Expected == "" && f.Found == "" {
		return f.Message
	}
	return f.Message + "\nexpected: " + f.Expected + "\nfound: " + f.Found
}

// visible replaces what could move or colour a terminal's cursor, or not be seen; text
// keeps its length in code points.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n':
			return ' '
		case !unicode.IsPrint(r):
			return utf8.RuneError
		}
		return r
	}, s)
}

// Printable keeps text on one line and free of terminal escapes. Unlike a finding's
// text it keeps letters and blanks of every script, so that names can be copied.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < 0x20, r >= 0x7f && r < 0xa0, r == 0x2028, r == 0x2029, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return utf8.RuneError
		}
		return r
	}, s)
}
