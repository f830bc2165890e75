package place

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/model"
)

// QuotedStyles are the styles of scalars that are always strings.
const QuotedStyles = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// NodeStart returns the start of a node.
func NodeStart(n *yaml.Node) model.Position { return model.Position{Line: n.Line, Column: n.Column} }

// Span returns the range of a node. For a collection it is that of its first key or item.
func (s *Source) Span(n *yaml.Node) model.Position {
	if text := s.Lines.From(NodeStart(n)); strings.HasPrefix(text, "&") || strings.HasPrefix(text, "!") {
		pos := NodeStart(n) // an anchor or a tag before the collection
		pos.EndLine, pos.EndColumn = pos.Line, pos.Column+width(n, text)
		return pos
	}
	for n.Kind != yaml.ScalarNode && n.Kind != yaml.AliasNode && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0 {
		n = n.Content[0]
	}
	pos := NodeStart(n)
	if width := width(n, s.Lines.From(pos)); width > 0 {
		pos.EndLine, pos.EndColumn = pos.Line, pos.Column+width
	}
	return pos
}

// maxWidth limits a span, in bytes, because longer carets do not help.
const maxWidth = 4096

// width returns how many characters a node takes on its first line. text is that line from the node on.
func width(n *yaml.Node, text string) int {
	text = text[:min(len(text), maxWidth)]
	value := n.Value[:min(len(n.Value), len(text))]
	quote := ""
	switch {
	case n.Kind == yaml.AliasNode, n.Anchor != "", n.Style&yaml.TaggedStyle != 0:
		return max(1, utf8.RuneCountInString(text[:wordEnd(text)]))
	case n.Kind != yaml.ScalarNode:
		return 1
	case n.Style&yaml.DoubleQuotedStyle != 0:
		quote = `"`
	case n.Style&yaml.SingleQuotedStyle != 0:
		quote = `'`
	case strings.HasPrefix(text, value) && !strings.Contains(value, "\n"):
		return max(1, utf8.RuneCountInString(value))
	}
	if quote != "" && strings.HasPrefix(text, quote) {
		return quotedWidth(text, quote[0])
	}
	return 1
}

// wordEnd returns the end of the anchor, alias or tag at the start of a text.
func wordEnd(text string) int {
	if end := strings.IndexAny(text, " \t,]}"); end >= 0 {
		return end
	}
	return len(text)
}

// quotedWidth returns the width of a quoted scalar up to its closing quote or the end of the line.
func quotedWidth(text string, quote byte) int {
	if end := ClosingQuote(text[1:], quote); end >= 0 {
		return utf8.RuneCountInString(text[:end+2])
	}
	return utf8.RuneCountInString(strings.TrimRight(text, " \t"))
}

// ClosingQuote returns the end of a quoted scalar that started before text, or -1.
func ClosingQuote(text string, quote byte) int {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] != quote:
		case quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		default:
			return i
		}
	}
	return -1
}
