package say

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Visible escapes a name or value from an input for display on one line. Invisible characters, those that terminals
// interpret and those that change the reading order become \u{HEX}, bytes that are not UTF-8 \x{HEX}. A backslash
// before u{ or x{ becomes \u{5c}, so that different texts stay different. Spaces and letters of all scripts are
// kept.
//
// CI servers interpret lines that start with "::", and "##[" or "##name[" anywhere. Visible escapes an initial
// colon and the first # of such a bracket. Do not apply it twice, because it escapes its own escapes.
func Visible(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	start := true // only blanks so far
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x{%02x}`, s[i])
		case !shown(r), r == ':' && start, r == '\\' && escapes(s[i+1:]), r == '#' && commands(s[i:]):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteString(s[i : i+size])
		}
		start = start && unicode.Is(unicode.Zs, r)
		i += size
	}
	return b.String()
}

// Acts reports whether a text, not at the start of a line, contains anything that Visible would escape.
func Acts(s string) bool {
	for i := 0; i < len(s); {
		if c := s[i]; ' ' <= c && c < 0x7f && c != '#' {
			i++
			continue
		}
		if ActsAt(s[i:]) {
			return true
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return false
}

// ActsAt reports whether that applies to the first code point.
func ActsAt(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return r == utf8.RuneError && size <= 1 || !shown(r) || commands(s)
}

// Lines applies Visible to each line of a text and keeps tabs.
func Lines(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		text, end := strings.CutSuffix(line, "\n")
		for i, cell := range strings.Split(text, "\t") {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(Visible(cell))
		}
		if end {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// plain returns a fast check that Visible has nothing to escape.
func plain(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < 0x20, c >= 0x7f, c == ':' && i == 0, c == ' ' && i == 0:
			return false
		case c == '\\' && escapes(s[i+1:]), c == '#' && commands(s[i:]):
			return false
		}
	}
	return true
}

// shown reports whether a code point is visible and has no effect.
func shown(r rune) bool { return unicode.IsPrint(r) || unicode.Is(unicode.Zs, r) }

// escapes reports whether a backslash before rest would look like an escape.
func escapes(rest string) bool { return strings.HasPrefix(rest, "u{") || strings.HasPrefix(rest, "x{") }

// commands reports whether s starts with a build server command: "##[" or "##name[" in lower case.
func commands[T string | []byte](s T) bool {
	if len(s) < 3 || s[0] != '#' || s[1] != '#' {
		return false
	}
	i := 2
	for i < len(s) && 'a' <= s[i] && s[i] <= 'z' {
		i++
	}
	return i < len(s) && s[i] == '['
}

// AppendAligned appends text for display above a caret, with the same number of code points: tabs
// become blanks, anything else that Visible escapes U+FFFD.
func AppendAligned(dst, text []byte) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == '\t':
			r = ' '
		case !shown(r), commands(text):
			r = utf8.RuneError
		}
		dst = utf8.AppendRune(dst, r)
		text = text[size:]
	}
	return dst
}

// JSON escapes, in JSON notation, the characters that Visible escapes. It returns text itself if there are none.
func JSON(text []byte) []byte {
	if plainJSON(text) {
		return text
	}
	var safe []byte
	done := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c < 0x7f && (c != '#' || !commands(text[i:])) {
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if c != '#' && shown(r) && (r != utf8.RuneError || size > 1) {
			i += size
			continue
		}
		safe = append(safe, text[done:i]...)
		for _, unit := range utf16.Encode([]rune{r}) {
			safe = fmt.Appendf(safe, `\u%04x`, unit)
		}
		i += size
		done = i
	}
	return append(safe, text[done:]...)
}

// plainJSON reports whether a JSON text is ASCII without escapes. It checks eight bytes at a time for speed.
func plainJSON(text []byte) bool {
	if bytes.IndexByte(text, '#') >= 0 || bytes.IndexByte(text, 0x7f) >= 0 {
		return false
	}
	const high = 0x8080808080808080
	for ; len(text) >= 8; text = text[8:] {
		if binary.LittleEndian.Uint64(text)&high != 0 {
			return false
		}
	}
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
