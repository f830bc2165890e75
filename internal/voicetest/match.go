package voicetest

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// enough is how many letters a message must have of its own to be known by them: a text that consists of
// values belongs to anything.
const enough = 5

// behind is what stands behind the words of a finding: the id of its rule, in a line for people, the class of
// what is private, or the place in a JSON text.
var behind = regexp.MustCompile(` \[[\w.-]+\]( \(and \d+ more\))?$| \((sensitive|forbidden), [\w-]+\)$| in /\S*$`)

// before is the place in an event, before what is private there.
var before = regexp.MustCompile(`^/\S* `)

// Known says whether a text that was printed is one of the messages, or what is left of it behind the
// places and the messages that stand before it, each of which ends in a colon, a semicolon or a question mark.
// Those of pages are not printed.
func Known(all []Message, text string) bool {
	if short := behind.ReplaceAllString(text, ""); short != text && Known(all, short) {
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

// Says reports whether text is the message with values filled in, with or without a cause after a colon. The
// messages of the attest protocol are sentences; the command line prints them without the capital and the full stop.
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

// ends: the text ends so, or has a colon behind that.
func ends(text, end string, has func(text, part string) bool) bool {
	return strings.HasSuffix(text, end) && has(text, end) || has(text, end+": ")
}

// lower is a text without its first capital.
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
