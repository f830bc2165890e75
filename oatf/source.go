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
	lines  []string // of the text; see splitLines
	limits Limits

	faults   []*ParseError // what Parse found; those with a Rule are violations too
	warnings []Diagnostic  // unknown fields that were tolerated
	later    bool          // the document follows a later revision of the format
}

// splitLines cuts the text where the YAML library counts a line break.
func splitLines(text string) []string {
	var lines []string
	for start, i := 0, 0; ; i++ {
		if i == len(text) {
			return append(lines, text[start:])
		}
		size := breakSize(text[i:])
		if size == 0 {
			continue
		}
		lines = append(lines, text[start:i])
		i += size - 1
		start = i + 1
	}
}

// breakSize returns the length of the line break that s begins with, or 0.
func breakSize(s string) int {
	switch {
	case s[0] == '\n':
		return 1
	case s[0] == '\r':
		return 1 + b2i(len(s) > 1 && s[1] == '\n')
	case s[0] == 0xc2 && len(s) > 1 && s[1] == 0x85: // NEL
		return 2
	case s[0] == 0xe2 && (strings.HasPrefix(s, "\u2028") || strings.HasPrefix(s, "\u2029")):
		return 3
	}
	return 0
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// positionAt returns the place of a byte of the text.
func positionAt(input []byte, offset int) Position {
	before := splitLines(string(input[:offset]))
	last := strings.TrimPrefix(before[len(before)-1], "\ufeff")
	return Position{Line: len(before), Column: utf8.RuneCountInString(last) + 1}
}

// nodeStart is the place of a node without its end.
func nodeStart(n *yaml.Node) Position { return Position{Line: n.Line, Column: n.Column} }

// span is the place of a node. A collection has no end worth marking: it is
// represented by its first key or item.
func (s *source) span(n *yaml.Node) Position {
	for n.Kind != yaml.ScalarNode && n.Kind != yaml.AliasNode && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0 {
		n = n.Content[0]
	}
	pos := nodeStart(n)
	if pos.Line < 1 || pos.Line > len(s.lines) {
		return pos
	}
	if width := s.width(n, pos); width > 0 {
		pos.EndLine, pos.EndColumn = pos.Line, pos.Column+width
	}
	return pos
}

// width returns how many code points of its line a node's text takes, 0 when that
// cannot be told.
func (s *source) width(n *yaml.Node, pos Position) int {
	text := runesFrom(s.lines[pos.Line-1], pos.Column-1, pos.Line == 1)
	quote := ""
	switch {
	case n.Kind == yaml.AliasNode, n.Anchor != "", n.Style&yaml.TaggedStyle != 0:
		return max(1, utf8.RuneCountInString(text[:wordEnd(text)]))
	case n.Kind != yaml.ScalarNode || text == "":
		return 1
	case n.Style&yaml.DoubleQuotedStyle != 0:
		quote = `"`
	case n.Style&yaml.SingleQuotedStyle != 0:
		quote = `'`
	case strings.HasPrefix(text, n.Value):
		return utf8.RuneCountInString(n.Value)
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

// runesFrom skips code points at the start of a line, and a byte order mark that the
// library does not count.
func runesFrom(line string, skip int, first bool) string {
	if first {
		line = strings.TrimPrefix(line, "\ufeff")
	}
	for ; skip > 0 && line != ""; skip-- {
		_, size := utf8.DecodeRuneInString(line)
		line = line[size:]
	}
	return line
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
