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

// Visible is a name or a value of an input as people read it: on one line, without
// anything that a terminal acts on, that cannot be seen, or that changes the order of
// what is seen. Each such code point is \u{HEX}, and each byte that is not UTF-8 \x{HEX}.
// A backslash of the text before u{ or x{ is \u{5c}, so that two texts never look the
// same, and nothing else is touched: blanks and letters of every script stay, so that
// names can be copied.
//
// Build servers take a line that begins with "::", and "##[" or "##name[" anywhere in it,
// for a command. Visible escapes a colon at the beginning of a text, and the first # of
// such a bracket, so that no value gives a command.
//
// It is for values as they are: applied twice, it escapes its own escapes.
func Visible(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	start := true // nothing but blanks so far
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

// Acts reports whether a text on a line, not at its beginning, is more than people read: it
// has what cannot be seen, what a terminal or a build server acts on, or no UTF-8.
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

// ActsAt reports whether the first code point of a text makes it one of those.
func ActsAt(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return r == utf8.RuneError && size <= 1 || !shown(r) || commands(s)
}

// Lines is Visible for a content of several lines, such as a diff: each line for itself,
// with its tabs.
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

// plain reports whether Visible has nothing to escape, where that is easily seen.
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

// shown reports whether a code point can be seen and does nothing else.
func shown(r rune) bool { return unicode.IsPrint(r) || unicode.Is(unicode.Zs, r) }

// escapes reports whether a backslash before rest would read as an escape of Visible.
func escapes(rest string) bool { return strings.HasPrefix(rest, "u{") || strings.HasPrefix(rest, "x{") }

// commands reports whether s begins as a command of a build server does: "##[" or, with
// its name in lower case, "##name[".
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

// AppendAligned appends a piece of a line for the eye: as many code points as it has, so
// that a caret under it stays true. A tab is a blank; every other code point that Visible
// would escape, and each byte that is not UTF-8, is U+FFFD.
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

// JSON is a JSON text in which each code point that Visible would escape is an escape of
// JSON: the same value, and nothing for a terminal to act on. It is text itself when all
// of it is plain.
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

// plainJSON reports whether a JSON text is nothing but ASCII without what JSON escapes:
// eight bytes at a time, because every line of every report passes here.
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
