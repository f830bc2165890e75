package oatf

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// source is what a parsed document remembers of its text: enough to give every path
// a position when one is asked for, which costs nothing while all is well.
type source struct {
	root   *yaml.Node
	lines  *lines
	limits Limits

	faults   []*ParseError // what Parse found; those with a Rule are violations too
	warnings []Diagnostic  // unknown fields that were tolerated
	later    bool          // the document follows a later revision of the format
}

// nodeStart is the place of a node without its end.
func nodeStart(n *yaml.Node) Position { return Position{Line: n.Line, Column: n.Column} }

// span is the place of a node. A collection has no end worth marking: it is
// represented by its first key or item.
func (s *source) span(n *yaml.Node) Position {
	if text := s.lines.from(nodeStart(n)); strings.HasPrefix(text, "&") || strings.HasPrefix(text, "!") {
		pos := nodeStart(n) // an anchor or a tag before the collection
		pos.EndLine, pos.EndColumn = pos.Line, pos.Column+width(n, text)
		return pos
	}
	for n.Kind != yaml.ScalarNode && n.Kind != yaml.AliasNode && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0 {
		n = n.Content[0]
	}
	pos := nodeStart(n)
	if width := width(n, s.lines.from(pos)); width > 0 {
		pos.EndLine, pos.EndColumn = pos.Line, pos.Column+width
	}
	return pos
}

// maxWidth is the widest span, in bytes, that is measured: no reader follows a longer
// caret.
const maxWidth = 4096

// width returns how many code points of its first line a node takes; text is that
// line from the node on.
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

// wordEnd returns where the anchor, alias or tag that text begins with ends.
func wordEnd(text string) int {
	if end := strings.IndexAny(text, " \t,]}"); end >= 0 {
		return end
	}
	return len(text)
}

// quotedWidth measures a quoted scalar up to its closing quote, or to the end of the
// line when it goes on.
func quotedWidth(text string, quote byte) int {
	if end := closingQuote(text[1:], quote); end >= 0 {
		return utf8.RuneCountInString(text[:end+2])
	}
	return utf8.RuneCountInString(strings.TrimRight(text, " \t"))
}

// closingQuote returns where a quoted scalar ends that began before text, -1 when it
// goes on behind text.
func closingQuote(text string, quote byte) int {
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

// Position returns the place of the value at a dot-path of the parsed text, such as
// "attack.indicators[0].surface". The path of a field that is missing gives the
// place of the nearest thing around it. A document that was not parsed has no places.
func (d *Document) Position(path string) Position {
	if d.source == nil {
		return Position{}
	}
	return (&locator{source: d.source}).position(path)
}

// locator finds places for one Validate: it indexes large mappings when they are
// asked for a second time.
type locator struct {
	*source
	indexes map[*yaml.Node]map[string]int
}

// position walks the nodes along the path. Keys stand in a path verbatim, dots and
// brackets included, so the longest key that begins the rest of the path is taken.
func (l *locator) position(path string) Position {
	if l.root == nil {
		return Position{}
	}
	key, value := l.find(nil, l.root, path)
	if key != nil && (value.Kind != yaml.ScalarNode || value.Value == "" && value.Style&quotedStyles == 0) {
		return l.span(key) // the key says more than the first line of a collection
	}
	return l.span(value)
}

// keyPosition is position for the key at the end of a path.
func (l *locator) keyPosition(path string) Position {
	key, value := l.find(nil, l.root, path)
	if key == nil {
		key = value
	}
	return l.span(key)
}

// find returns the node that the path leads to, with its key when it has one, or the
// deepest node on the way.
func (l *locator) find(key, node *yaml.Node, path string) (*yaml.Node, *yaml.Node) {
	if path == "" {
		return key, node
	}
	switch node.Kind {
	case yaml.SequenceNode:
		number, rest, ok := strings.Cut(strings.TrimPrefix(path, "["), "]")
		i, err := strconv.Atoi(number)
		if ok && err == nil && i >= 0 && i < len(node.Content) {
			return l.find(nil, node.Content[i], rest)
		}
	case yaml.MappingNode:
		path = strings.TrimPrefix(path, ".")
		if i := l.pair(node, path); i >= 0 {
			k := node.Content[i]
			return l.find(k, node.Content[i+1], path[len(k.Value):])
		}
	}
	return key, node
}

// indexFrom is the size from which a mapping is worth an index.
const indexFrom = 32

// pair returns the index of the longest key of a mapping that begins the path, -1
// when there is none.
func (l *locator) pair(node *yaml.Node, path string) int {
	if len(node.Content) < 2*indexFrom {
		best := -1
		for i := 0; i+1 < len(node.Content); i += 2 {
			key := node.Content[i].Value
			if strings.HasPrefix(path, key) && keyEnds(path, len(key)) && (best < 0 || len(key) > len(node.Content[best].Value)) {
				best = i
			}
		}
		return best
	}
	index := l.index(node)
	for end := len(path); end >= 0; end-- {
		if !keyEnds(path, end) {
			continue
		}
		if i, ok := index[path[:end]]; ok {
			return i
		}
	}
	return -1
}

// keyEnds says whether a key may end at this byte of a path.
func keyEnds(path string, end int) bool {
	return end == len(path) || path[end] == '.' || path[end] == '['
}

func (l *locator) index(node *yaml.Node) map[string]int {
	if index, ok := l.indexes[node]; ok {
		return index
	}
	index := make(map[string]int, len(node.Content)/2)
	for i := 0; i+1 < len(node.Content); i += 2 {
		index[node.Content[i].Value] = i
	}
	if l.indexes == nil {
		l.indexes = map[*yaml.Node]map[string]int{}
	}
	l.indexes[node] = index
	return index
}
