package voicetest

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// enough is the minimum number of letters in a message for a match; a message that is mainly variables would match
// anything.
const enough = 5

// after matches the text after a finding's message: its rule id, the privacy class or the place in a JSON text.
var after = regexp.MustCompile(` \[[\w.-]+\]( \(and \d+ more\))?$| \((sensitive|forbidden), [\w-]+\)$| in /\S*$`)

// before matches the path before a privacy finding.
var before = regexp.MustCompile(`^/\S* `)

// Known reports whether a printed text is one of the messages, after removing positions and messages before it,
// which end in a colon, semicolon or question mark. Texts of pages are not printed.
func Known(all []Message, text string) bool {
	if short := after.ReplaceAllString(text, ""); short != text && Known(all, short) {
		return true
	}
	if at := before.FindString(text); at != "" && Known(all, text[len(at):]) {
		return true
	}
	for {
		for i := range all {
			if all[i].Kind != Page && all[i].Says(text) {
				return true
			}
		}
		at := strings.IndexAny(text, ":;?")
		if at < 0 {
			return false
		}
		text = strings.TrimPrefix(text[at+1:], " ")
	}
}

// Says reports whether text is the message with values, optionally followed by a cause. Messages of
// the attest protocol are sentences; the command line prints them without capital and full stop.
func (m Message) Says(text string) bool {
	if letters(m.Parts) < enough {
		return false
	}
	last := len(m.Parts) - 1
	begin := lower(strings.TrimLeft(m.Parts[0], ";: "))
	end := strings.TrimRight(m.Parts[last], ".;: \n")
	if last == 0 {
		return ends(lower(text), strings.TrimRight(begin, ".;: \n"), strings.HasPrefix)
	}
	rest, begins := strings.CutPrefix(lower(text), begin)
	if !begins {
		return false
	}
	for _, part := range m.Parts[1:last] {
		_, after, found := strings.Cut(rest, part)
		if !found {
			return false
		}
		rest = after
	}
	return ends(rest, end, strings.Contains)
}

// ends reports whether the text ends with end, optionally followed by a colon and more.
func ends(text, end string, has func(text, part string) bool) bool {
	return strings.HasSuffix(text, end) && has(text, end) || has(text, end+": ")
}

// lower returns a text without an initial capital.
func lower(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if !unicode.IsUpper(r) {
		return text
	}
	return string(unicode.ToLower(r)) + text[size:]
}

func letters(parts []string) (n int) {
	for _, part := range parts {
		for _, r := range part {
			if unicode.IsLetter(r) {
				n++
			}
		}
	}
	return n
}
