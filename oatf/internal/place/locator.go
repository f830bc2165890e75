package place

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/model"
)

// Locator finds positions by path. It indexes large mappings on the second lookup.
type Locator struct {
	*Source
	indexes map[*yaml.Node]map[string]int
}

// Position returns the position of a path. Keys are unescaped in paths, even with dots and brackets, so that the
// longest matching key is used.
func (l *Locator) Position(path string) model.Position {
	if l.Root == nil {
		return model.Position{}
	}
	key, value, _ := l.find(nil, l.Root, path)
	if key != nil && (value.Kind != yaml.ScalarNode || value.Value == "" && value.Style&QuotedStyles == 0) {
		return l.Span(key) // the key says more than the first line of a collection
	}
	return l.Span(value)
}

// KeyPosition is position for the key at the end of a path.
func (l *Locator) KeyPosition(path string) model.Position {
	key, value, _ := l.find(nil, l.Root, path)
	if key == nil {
		key = value
	}
	return l.Span(key)
}

// Pair returns the key and value at the end of a path, or nil.
func (l *Locator) Pair(path string) (key, value *yaml.Node) {
	key, value, rest := l.find(nil, l.Root, path)
	if rest != "" {
		return nil, nil
	}
	return key, value
}

// find returns the node at a path and its key, or the deepest existing ancestor and the rest of the path.
func (l *Locator) find(key, node *yaml.Node, path string) (*yaml.Node, *yaml.Node, string) {
	if path == "" {
		return key, node, ""
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
	return key, node, path
}

// indexFrom is the mapping size from which an index pays off.
const indexFrom = 32

// pair returns the index of the longest key of a mapping that is a prefix of the path, or -1.
func (l *Locator) pair(node *yaml.Node, path string) int {
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

// keyEnds reports whether a key can end at this offset of a path.
func keyEnds(path string, end int) bool {
	return end == len(path) || path[end] == '.' || path[end] == '['
}

func (l *Locator) index(node *yaml.Node) map[string]int {
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
