// Package patch changes nodes of a YAML text and preserves all unrelated bytes: comments, blank lines, quotes, styles
// and line ends. Nodes move with their comments and are reindented. Comments on removed nodes stay on separate lines.
//
//	tree := patch.New(source)
//	tree.Rename(attack, 0, "title")
//	edits, err := tree.Edits()
package patch

import (
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/place"
)

// Tree is a text's nodes with changes. Nodes are not modified: the tree's Content has the changed
// content. It is not safe for concurrent use.
type Tree struct {
	*place.Source
	now  map[*yaml.Node][]*yaml.Node // the content of collections that have changed
	from map[*yaml.Node]*yaml.Node   // the original node that a new one replaces
}

// New returns a tree for a text without errors (see yamltext.ReadAudited).
func New(source *place.Source) *Tree {
	return &Tree{Source: source, now: map[*yaml.Node][]*yaml.Node{}, from: map[*yaml.Node]*yaml.Node{}}
}

// Changed reports whether anything has been changed.
func (t *Tree) Changed() bool { return len(t.now) > 0 }

// Content returns a collection's items, or its keys and values alternately.
func (t *Tree) Content(n *yaml.Node) []*yaml.Node {
	if now, changed := t.now[n]; changed {
		return now
	}
	return n.Content
}

func isNew(n *yaml.Node) bool { return n.Line == 0 }

// Index returns the index of a key in a mapping's content, or -1.
func (t *Tree) Index(n *yaml.Node, key string) int {
	if n == nil || n.Kind != yaml.MappingNode {
		return -1
	}
	content := t.Content(n)
	for i := 0; i+1 < len(content); i += 2 {
		if content[i].Value == key && content[i].Kind == yaml.ScalarNode {
			return i
		}
	}
	return -1
}

// Get returns the value of a key, or nil.
func (t *Tree) Get(n *yaml.Node, key string) *yaml.Node {
	if i := t.Index(n, key); i >= 0 {
		return t.Content(n)[i+1]
	}
	return nil
}

// After returns a node with its changed content. Unchanged parts are shared.
func (t *Tree) After(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.ScalarNode {
		return n
	}
	content, changed := t.now[n]
	if !changed {
		content = n.Content
	}
	var after []*yaml.Node
	for i, c := range content {
		now := t.After(c)
		if now != c && after == nil {
			after = slices.Clone(content)
		}
		if after != nil {
			after[i] = now
		}
	}
	if !changed && after == nil {
		return n
	}
	if after == nil {
		after = content
	}
	copied := *n
	copied.Content = after
	return &copied
}

// Text returns a new node for a string.
func Text(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Value: s, Style: yaml.DoubleQuotedStyle}
}

// Mapping returns a new mapping, possibly with original nodes.
func Mapping(pairs ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Content: pairs}
}

// List returns a new list.
func List(items ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Content: items}
}

// Flow sets the style of a new collection to brackets.
func Flow(n *yaml.Node) *yaml.Node {
	n.Style |= yaml.FlowStyle
	return n
}

// edit returns a copy of a collection's content to be changed.
func (t *Tree) edit(n *yaml.Node) []*yaml.Node {
	if now, changed := t.now[n]; changed {
		return now
	}
	return slices.Clone(n.Content)
}

// Rename renames the key at an index of a mapping's content and keeps its quotes.
func (t *Tree) Rename(n *yaml.Node, i int, name string) {
	content := t.edit(n)
	content[i] = t.instead(content[i], Text(name))
	t.now[n] = content
}

// Replace replaces the value at an index by a new node or an unused original one.
func (t *Tree) Replace(n *yaml.Node, i int, value *yaml.Node) {
	content := t.edit(n)
	if isNew(value) {
		t.instead(content[i], value)
	}
	content[i] = value
	t.now[n] = content
}

// instead records that a new node replaces another.
func (t *Tree) instead(old, value *yaml.Node) *yaml.Node {
	if isNew(old) {
		old = t.from[old]
	}
	if old != nil {
		t.from[value] = old
	}
	return value
}

// Insert inserts a pair before an index of a mapping's content, -1 for the end. Key and value must
// be new or unused original nodes.
func (t *Tree) Insert(n *yaml.Node, i int, key, value *yaml.Node) {
	content := t.edit(n)
	if i < 0 || i > len(content) {
		i = len(content)
	}
	t.now[n] = slices.Insert(content, i, key, value)
}

// Remove removes the pair at an index of a mapping.
func (t *Tree) Remove(n *yaml.Node, i int) (key, value *yaml.Node) {
	content := t.edit(n)
	key, value = content[i], content[i+1]
	t.now[n] = slices.Delete(content, i, i+2)
	return key, value
}

// Origin returns the original node that a node is or replaces, or nil.
func (t *Tree) Origin(n *yaml.Node) *yaml.Node {
	if n != nil && isNew(n) {
		return t.from[n]
	}
	return n
}

// Called returns a key with another name and the same quotes.
func (t *Tree) Called(key *yaml.Node, name string) *yaml.Node { return t.instead(key, Text(name)) }

// Instead returns a new value that replaces another, for SetContent.
func (t *Tree) Instead(old, value *yaml.Node) *yaml.Node { return t.instead(old, value) }

// SetContent sets a collection's content of new or unused original nodes.
func (t *Tree) SetContent(n *yaml.Node, content []*yaml.Node) { t.now[n] = content }
