package rpc

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// grammar walks one JSON text of RFC 8259 and stops at the first byte that breaks
// it. It asks nothing beyond the grammar (repeated names, huge numbers and lone
// surrogate escapes are the handler's business), keeps no values, and does not
// recurse: one bit per open container remembers whether it is an object.
type grammar struct {
	text  []byte
	depth int
	kinds []uint64 // bit set of the open containers: 1 for an object
}

// fault is the place where a text stops being JSON.
type fault struct {
	offset int
	want   string
}

func (g *grammar) message(f *fault) string {
	if f.offset >= len(g.text) {
		return fmt.Sprintf("invalid JSON: unexpected end of the line at byte %d, expected %s", f.offset, f.want)
	}
	r, size := utf8.DecodeRune(g.text[f.offset:])
	if r == utf8.RuneError && size <= 1 {
		return fmt.Sprintf("invalid JSON: byte 0x%02x at byte %d is not UTF-8", g.text[f.offset], f.offset)
	}
	return fmt.Sprintf("invalid JSON: unexpected %q at byte %d, expected %s", r, f.offset, f.want)
}

// value walks the value that starts at or after text[i] and returns the offset after it.
//
// The loop is a state machine: a value is followed by closing brackets, then by a
// comma and, in an object, by the next member's name.
func (g *grammar) value(i int) (end int, bad *fault) {
	base := g.depth
	for {
		i = g.space(i)
		if i == len(g.text) {
			return i, &fault{i, "a value"}
		}
		switch c := g.text[i]; c {
		case '{', '[':
			g.push(c == '{')
			i = g.space(i + 1)
			if i < len(g.text) && g.text[i] == c+2 { // '}' and ']' follow their openers by two
				break
			}
			if c == '{' {
				if i, bad = g.name(i); bad != nil {
					return i, bad
				}
			}
			continue
		default:
			if i, bad = g.scalar(i); bad != nil {
				return i, bad
			}
		}
		if i, bad = g.after(i, base); bad != nil || g.depth == base {
			return i, bad
		}
	}
}

// after walks what may follow a value: closing brackets down to depth base, or a
// comma and the next member's name.
func (g *grammar) after(i, base int) (end int, bad *fault) {
	for g.depth > base {
		i = g.space(i)
		closer, want := byte(']'), "',' or ']'"
		if g.object() {
			closer, want = '}', "',' or '}'"
		}
		switch {
		case i == len(g.text):
			return i, &fault{i, want}
		case g.text[i] == closer:
			g.depth--
			i++
		case g.text[i] != ',':
			return i, &fault{i, want}
		case closer == '}':
			return g.name(g.space(i + 1))
		default:
			return i + 1, nil
		}
	}
	return i, nil
}

func (g *grammar) push(object bool) {
	word, bit := g.depth/64, uint64(1)<<(g.depth%64)
	if word == len(g.kinds) {
		g.kinds = append(g.kinds, 0)
	}
	g.kinds[word] &^= bit
	if object {
		g.kinds[word] |= bit
	}
	g.depth++
}

// object says whether the innermost container is an object.
func (g *grammar) object() bool {
	top := g.depth - 1
	return g.kinds[top/64]>>(top%64)&1 == 1
}

func (g *grammar) space(i int) int {
	for i < len(g.text) && (g.text[i] == ' ' || g.text[i] == '\t' || g.text[i] == '\r' || g.text[i] == '\n') {
		i++
	}
	return i
}

// name walks a member name and its colon.
func (g *grammar) name(i int) (end int, bad *fault) {
	if i == len(g.text) || g.text[i] != '"' {
		return i, &fault{i, "a member name in double quotes"}
	}
	if i, bad = g.str(i); bad != nil {
		return i, bad
	}
	if i = g.space(i); i == len(g.text) || g.text[i] != ':' {
		return i, &fault{i, "':'"}
	}
	return i + 1, nil
}

func (g *grammar) scalar(i int) (end int, bad *fault) {
	switch c := g.text[i]; {
	case c == '"':
		return g.str(i)
	case c == '-' || c >= '0' && c <= '9':
		return g.number(i)
	}
	for _, word := range [...]string{"null", "true", "false"} {
		if bytes.HasPrefix(g.text[i:], []byte(word)) {
			return i + len(word), nil
		}
	}
	return i, &fault{i, "a value"}
}

// str walks the string whose opening quote is text[i].
func (g *grammar) str(i int) (end int, bad *fault) {
	for i++; ; {
		if i = strictjson.SkipPlain(g.text, i); i == len(g.text) {
			return i, &fault{i, "the end of the string"}
		}
		switch c := g.text[i]; {
		case c == '"':
			return i + 1, nil
		case c == '\\':
			if i, bad = g.escape(i); bad != nil {
				return i, bad
			}
		case c < ' ':
			return i, &fault{i, "an escape: control characters may not stand in a string"}
		default:
			r, size := utf8.DecodeRune(g.text[i:])
			if r == utf8.RuneError && size == 1 {
				return i, &fault{i, "UTF-8"}
			}
			i += size
		}
	}
}

func (g *grammar) escape(i int) (end int, bad *fault) {
	if i+1 == len(g.text) {
		return i, &fault{i + 1, "the rest of an escape"}
	}
	switch g.text[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2, nil
	case 'u':
		for k := i + 2; k < i+6; k++ {
			if k >= len(g.text) || !isHex(g.text[k]) {
				return k, &fault{k, "four hexadecimal digits"}
			}
		}
		return i + 6, nil
	}
	return i, &fault{i + 1, "an escape that JSON knows"}
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

func (g *grammar) number(i int) (end int, bad *fault) {
	if g.text[i] == '-' {
		i++
	}
	start := i
	if i = g.digits(i); i == start {
		return i, &fault{i, "a digit"}
	}
	if g.text[start] == '0' && i > start+1 {
		return start, &fault{start + 1, "no digit after a leading zero"}
	}
	if i < len(g.text) && g.text[i] == '.' {
		start = i + 1
		if i = g.digits(start); i == start {
			return i, &fault{i, "a digit after the decimal point"}
		}
	}
	if i < len(g.text) && g.text[i]|0x20 == 'e' {
		if i++; i < len(g.text) && (g.text[i] == '+' || g.text[i] == '-') {
			i++
		}
		start = i
		if i = g.digits(start); i == start {
			return i, &fault{i, "a digit of the exponent"}
		}
	}
	return i, nil
}

func (g *grammar) digits(i int) int {
	for i < len(g.text) && g.text[i]-'0' <= 9 {
		i++
	}
	return i
}
