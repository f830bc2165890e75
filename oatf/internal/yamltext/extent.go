package yamltext

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/place"
)

// Extent returns a node's byte range in the source, without a byte order mark. It includes the tag, but not
// trailing text on the last line. A block scalar that keeps line breaks includes them. A node without text has an
// empty range at the library's position.
func Extent(lines *place.Lines, n *yaml.Node) (start, end int) {
	start = lines.In(n.Line, n.Column)
	return start, extentEnd(lines, n, start)
}

// body returns the offset of a node's text after its anchor and tag.
func body(lines *place.Lines, n *yaml.Node) int {
	at, text := lines.In(n.Line, n.Column), flowText{text: lines.Text}
	for _, own := range []bool{n.Anchor != "", n.Style&yaml.TaggedStyle != 0 || n.Tag == "!"} {
		if own {
			at = text.separation(text.property(at))
		}
	}
	return at
}

func extentEnd(lines *place.Lines, n *yaml.Node, start int) int {
	text := flowText{text: lines.Text, bad: -1}
	body := body(lines, n)
	switch {
	case n.Kind != yaml.ScalarNode && n.Style&yaml.FlowStyle != 0:
		return flowEnd(lines, n, body)
	case n.Kind != yaml.ScalarNode && len(n.Content) > 0:
		last := n.Content[len(n.Content)-1]
		if IsEmpty(last) {
			return emptyEnd(lines, n)
		}
		_, end := Extent(lines, last)
		return end
	case isBlockScalar(n):
		return blockScalarEnd(lines, n, body)
	case n.Style&place.QuotedStyles != 0:
		return text.quoted(body)
	case n.Value == "" && body > start: // nothing but a tag
		return text.property(start)
	}
	return plainEnd(lines.Text, n.Value, body)
}

// IsEmpty reports whether a node is null without text.
func IsEmpty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && IsPlain(n)
}

// emptyEnd returns the offset after the colon or dash of an empty block collection.
func emptyEnd(lines *place.Lines, n *yaml.Node) int {
	text := flowText{text: lines.Text}
	last := len(n.Content) - 1
	if n.Kind == yaml.MappingNode {
		_, end := Extent(lines, n.Content[last-1])
		return AfterKey(lines.Text, end)
	}
	at := lines.In(n.Line, n.Column)
	if last > 0 {
		_, at = Extent(lines, n.Content[last-1])
		if IsEmpty(n.Content[last-1]) {
			at = emptyEnd(lines, &yaml.Node{Kind: n.Kind, Line: n.Line, Column: n.Column, Content: n.Content[:last]})
		}
	} else if n.Style&yaml.TaggedStyle != 0 {
		at = text.property(at)
	}
	return text.separation(at) + 1
}

// LineOf returns the lines of a key and of the first key at the root, from 1. ok means that the key's line contains
// only the key, its whole value and a comment, with the first key's indentation.
func LineOf(s *place.Source, key string) (line, first int, ok bool) {
	if s.Root.Kind != yaml.MappingNode || s.Root.Style&yaml.FlowStyle != 0 {
		return 0, 0, false
	}
	begins := func(n *yaml.Node) bool { return strings.TrimLeft(s.Lines.Line(n.Line)[:n.Column-1], " ") == "" }
	keys := s.Root.Content
	for i := 0; i+1 < len(keys); i += 2 {
		if keys[i].Value == key {
			_, end := Extent(s.Lines, keys[i+1])
			return keys[i].Line, keys[0].Line, s.Lines.At(end) == keys[i].Line && begins(keys[i]) && begins(keys[0])
		}
	}
	return 0, 0, false
}

// KeepsBlankLines reports whether a node ends in a block of text to which the blank lines below belong.
func KeepsBlankLines(lines *place.Lines, n *yaml.Node) bool {
	for n.Kind != yaml.ScalarNode && len(n.Content) > 0 {
		n = n.Content[len(n.Content)-1]
	}
	header, _, _ := strings.Cut(lines.From(place.NodeStart(n)), "#")
	return isBlockScalar(n) && strings.Contains(header, "+")
}

// AfterKey returns the offset after the colon of the key that ends at i, or i.
func AfterKey(s string, i int) int {
	text := flowText{text: s}
	if colon := text.separation(i); colon < len(s) && s[colon] == ':' {
		return colon + 1
	}
	return i
}

// NextToken returns the offset after white space, line breaks and comments from i on.
func NextToken(s string, i int) int {
	text := flowText{text: s}
	return text.separation(i)
}

// flowEnd returns the end of a flow collection. A pair in a list can be a mapping without brackets.
func flowEnd(lines *place.Lines, n *yaml.Node, body int) int {
	if c := lines.Text[body]; c == '{' || c == '[' {
		text := flowText{text: lines.Text, bad: -1}
		return text.collection(body)
	}
	if len(n.Content) == 0 {
		return body
	}
	last := n.Content[len(n.Content)-1]
	if IsEmpty(last) && len(n.Content) > 1 {
		_, end := Extent(lines, n.Content[len(n.Content)-2])
		return AfterKey(lines.Text, end)
	}
	_, end := Extent(lines, last)
	return end
}

// plainEnd returns the end of a plain scalar. Between its lines there are only blanks and line breaks.
func plainEnd(text, value string, i int) int {
	if strings.HasPrefix(text[i:], value) {
		return i + len(value)
	}
	for _, r := range value {
		if isFolded(r) {
			continue
		}
		for {
			c, size := utf8.DecodeRuneInString(text[i:])
			if size == 0 {
				return i
			}
			i += size
			if c == r {
				break
			}
		}
	}
	return i
}

// isFolded reports whether folding can change a code point of a plain scalar.
func isFolded(r rune) bool {
	return strings.ContainsRune(" \t\r\n\u0085\u2028\u2029", r)
}

// blockScalarEnd returns the end of the last line of a block scalar, without its line break.
func blockScalarEnd(lines *place.Lines, n *yaml.Node, body int) int {
	number := lines.At(body)
	header, _, _ := strings.Cut(lines.Line(number)[body-lines.In(number, 1):], "#")
	first := strings.TrimLeft(n.Value, "\n")
	indent, last, end := -1, number, number
	for i := number + 1; i <= lines.Count(); i++ {
		row := lines.Line(i)
		spaces := len(row) - len(strings.TrimLeft(row, " "))
		blank := spaces == len(row)
		if indent < 0 && !blank {
			if strings.Trim(first, "\n") == "" {
				break // no text at all: the line is something else
			}
			indent = spaces - (len(first) - len(strings.TrimLeft(first, " ")))
		}
		if !blank && spaces < indent || i == lines.Count() && row == "" {
			break
		}
		if end = i; !blank || indent >= 0 && spaces > indent {
			last = i
		}
	}
	if strings.Contains(header, "+") {
		last = end
	}
	return lines.In(last, 1) + len(lines.Line(last))
}
