package yamltext

import (
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/place"
)

// flowText scans a flow node, or a plain scalar of a block, and checks the indentation of its lines. It uses the
// line breaks of YAML 1.2; the library has more.
type flowText struct {
	text string
	want int // the spaces that a line begins with, at least
	bad  int // where the first line begins that has less; -1: none
}

// node scans the node that begins at i.
func (f *flowText) node(i int) {
	switch f.text[i] {
	case '[', '{':
		f.collection(i)
	case '"', '\'':
		f.quoted(i)
	default:
		f.plainInBlock(i)
	}
}

// collection scans a flow collection and returns its end. Comment lines between tokens can have any indentation
// (clause 6.6).
func (f *flowText) collection(i int) int {
	depth := 0
	value := false // a colon now comes after a key in quotes or brackets
	for i < len(f.text) {
		c := f.text[i]
		switch {
		case isBreak(c):
			i = f.tokenLine(f.nextLine(i))
			continue
		case c == ' ' || c == '\t':
			i++
			continue
		case c == '#':
			i = f.lineEnd(i)
			continue
		case c == '[' || c == '{':
			depth++
			i++
		case c == ']' || c == '}':
			i++
			if depth--; depth == 0 {
				return i
			}
			value = true
			continue
		case c == '"' || c == '\'':
			i = f.quoted(i)
			value = true
			continue
		case c == '!' || c == '&' || c == '*':
			i = f.property(i)
		case c == ',' || c == ':' && value || f.indicator(i):
			i++
		default:
			i = f.plainInFlow(i)
		}
		value = false
	}
	return i
}

// indicator reports whether a question mark, colon or dash at i is a YAML indicator.
func (f *flowText) indicator(i int) bool {
	return strings.IndexByte("?:-", f.text[i]) >= 0 && (f.blank(i+1) || strings.IndexByte(",[]{}", f.text[i+1]) >= 0)
}

// quoted scans a quoted scalar and returns its end.
func (f *flowText) quoted(i int) int {
	end := place.ClosingQuote(f.text[i+1:], f.text[i])
	if end < 0 {
		end = len(f.text)
	} else {
		end += i + 2
	}
	for i = nextBreak(f.text, i, end); i < end; i = nextBreak(f.text, i, end) {
		i = f.scalarLine(f.nextLine(i))
	}
	return end
}

// plainInFlow scans a plain scalar in a flow collection and returns its end.
func (f *flowText) plainInFlow(i int) int {
	for ; i < len(f.text); i++ {
		switch c := f.text[i]; {
		case strings.IndexByte(",[]{}", c) >= 0, c == ':' && f.indicator(i), f.comment(i):
			return i
		case isBreak(c):
			next := f.content(i)
			if next >= len(f.text) || strings.IndexByte("#,[]{}", f.text[next]) >= 0 || f.text[next] == ':' && f.indicator(next) {
				return i
			}
			i = f.scalarLines(i, next) - 1
		}
	}
	return i
}

// plainInBlock scans a plain scalar outside of flow collections and checks its blank lines. The library checks the
// others.
func (f *flowText) plainInBlock(i int) {
	for f.bad < 0 {
		for ; !f.ends(i); i++ {
			if f.comment(i) {
				return
			}
		}
		next := f.content(i)
		if next >= len(f.text) || f.text[next] == '#' || f.spaces(1+strings.LastIndexAny(f.text[:next], "\r\n")) < f.want {
			return
		}
		i = f.scalarLines(i, next)
	}
}

// scalarLines checks the lines from the line break at i to the text at next. It returns next.
func (f *flowText) scalarLines(i, next int) int {
	for i = f.nextLine(i); i <= next; i = f.nextLine(i) {
		f.scalarLine(i)
	}
	return next
}

// scalarLine checks a line of a scalar and returns the start of its text. An empty line can have fewer spaces, but
// no other characters (clause 6.4).
func (f *flowText) scalarLine(i int) int {
	spaces := f.spaces(i)
	if spaces < f.want && !f.ends(i+spaces) {
		f.found(i)
	}
	return i + spaces
}

// tokenLine checks a line between the tokens of a collection and returns the start of its text.
func (f *flowText) tokenLine(i int) int {
	text := f.blanks(i)
	if f.spaces(i) < f.want && !f.ends(text) && f.text[text] != '#' {
		f.found(i)
	}
	return text
}

func (f *flowText) found(line int) {
	if f.bad < 0 {
		f.bad = line
	}
}

// property returns the end of the anchor, alias or tag at i.
func (f *flowText) property(i int) int {
	if strings.HasPrefix(f.text[i:], "!<") {
		return f.upTo(i, ">") + 1
	}
	return f.upTo(i, " \t\r\n,[]{}")
}

// separation returns the start of the next token, after blanks, line breaks and comments.
func (f *flowText) separation(i int) int {
	for i = f.blanks(i); i < len(f.text) && (isBreak(f.text[i]) || f.text[i] == '#'); i = f.blanks(i) {
		i = f.nextLine(i)
	}
	return i
}

// blankLines returns the start of the widest blank line from i on, and the start of the first line after the blank
// lines.
func (f *flowText) blankLines(i int) (widest, first int) {
	widest = i
	for i < len(f.text) && f.ends(i+f.spaces(i)) {
		if f.spaces(i) > f.spaces(widest) {
			widest = i
		}
		i = f.nextLine(i)
	}
	return widest, i
}

// content returns the start of the first text after the line break at i and blank lines.
func (f *flowText) content(i int) int {
	for i < len(f.text) && isBreak(f.text[i]) {
		i = f.blanks(f.nextLine(i))
	}
	return i
}

func (f *flowText) comment(i int) bool {
	return f.text[i] == '#' && f.blank(i-1)
}

// blank reports whether a blank, a line break or the end is at i.
func (f *flowText) blank(i int) bool {
	return i >= len(f.text) || strings.IndexByte(" \t\r\n", f.text[i]) >= 0
}

// upTo returns the offset of the first of some characters from i on, or the end.
func (f *flowText) upTo(i int, chars string) int {
	if n := strings.IndexAny(f.text[i:], chars); n >= 0 {
		return i + n
	}
	return len(f.text)
}

func (f *flowText) ends(i int) bool { return i >= len(f.text) || isBreak(f.text[i]) }

func (f *flowText) lineEnd(i int) int { return f.upTo(i, "\r\n") }

// nextBreak returns the offset of the first line break from i on, or end.
func nextBreak(text string, i, end int) int {
	for i < end && !isBreak(text[i]) {
		i++
	}
	return i
}

func (f *flowText) nextLine(i int) int {
	i = f.lineEnd(i)
	if strings.HasPrefix(f.text[i:], "\r\n") {
		return i + 2
	}
	return min(i+1, len(f.text))
}

func (f *flowText) spaces(i int) int {
	rest := f.text[i:]
	return len(rest) - len(strings.TrimLeft(rest, " "))
}

// blanks returns the offset after the spaces and tabs at i.
func (f *flowText) blanks(i int) int {
	return len(f.text) - len(strings.TrimLeft(f.text[i:], " \t"))
}

func isBreak(c byte) bool { return c == '\n' || c == '\r' }
