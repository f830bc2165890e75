// Package draft parses incomplete YAML and JSON while it is edited: keys and values, their
// positions and parents. It never fails. It skips text that it cannot parse, and an unclosed
// bracket or quote ends with its parent, which keeps one broken line from affecting the others:
//
//	attack:
//	  indicators:
//	    - surface: tool_na     # the value of attack.indicators[].surface
//	      patt                 # possibly a key of attack.indicators[]
//
// It ignores anchors and tags, and accepts text that is not valid YAML.
package draft

import "strings"

// Kind is the kind of a value.
type Kind uint8

const (
	Empty Kind = iota // no value
	Scalar
	Mapping
	List
)

// Node is a key with its value, a list element, or the root. Positions are byte offsets.
type Node struct {
	Parent   *Node // nil for the root
	Children []*Node

	Key              string // without quotes; "" for an element and the root
	KeyStart, KeyEnd int    // with quotes; both 0 without a key
	Unfinished       bool   // a word in the place of a key, without a colon

	Kind       Kind
	Value      string // scalar without quotes
	Start, End int    // the value with quotes, or its first part; without a value, its place
	Flow       bool   // in brackets or braces, or such a collection itself
}

// Element reports whether n is a list element.
func (n *Node) Element() bool { return n.Parent != nil && n.KeyEnd == 0 }

// Child returns the value of a key, or nil.
func (n *Node) Child(key string) *Node {
	if n == nil {
		return nil
	}
	for _, c := range n.Children {
		if c.KeyEnd > 0 && c.Key == key && !c.Unfinished {
			return c
		}
	}
	return nil
}

// Elements returns the elements of a list.
func (n *Node) Elements() []*Node {
	if n == nil || n.Kind != List {
		return nil
	}
	return n.Children
}

// At follows keys down and returns nil if one is missing.
func (n *Node) At(keys ...string) *Node {
	for _, key := range keys {
		n = n.Child(key)
	}
	return n
}

// Text returns the scalar at a key, or "".
func (n *Node) Text(key string) string {
	if c := n.Child(key); c != nil && c.Kind == Scalar {
		return c.Value
	}
	return ""
}

// ElementStep is the path step for list elements.
const ElementStep = "[]"

// Path returns the keys from the root to n, with ElementStep for list elements.
func (n *Node) Path() []string {
	depth := 0
	for p := n; p.Parent != nil; p = p.Parent {
		depth++
	}
	path := make([]string, depth)
	for p := n; p.Parent != nil; p = p.Parent {
		depth--
		path[depth] = p.Key
		if p.Element() {
			path[depth] = ElementStep
		}
	}
	return path
}

// Extent returns the range from n's key or value to the end of its content.
func (n *Node) Extent() (start, end int) {
	start, end = n.Start, n.End
	if n.KeyEnd > 0 {
		start, end = n.KeyStart, max(n.KeyEnd, n.End)
	}
	for last := n; len(last.Children) > 0; {
		last = last.Children[len(last.Children)-1]
		end = max(end, last.KeyEnd, last.End)
	}
	return start, max(start, end)
}

// Find returns the node with a key or scalar that contains or ends at offset at, or nil.
func (n *Node) Find(at int) *Node {
	var found *Node
	n.Each(func(c *Node) {
		if c.KeyEnd > 0 && c.KeyStart <= at && at <= c.KeyEnd || c.Kind == Scalar && c.Start <= at && at <= c.End {
			found = c
		}
	})
	return found
}

// Each visits n and its descendants in text order.
func (n *Node) Each(visit func(*Node)) {
	stack := []*Node{n}
	for len(stack) > 0 {
		next := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		visit(next)
		for i := len(next.Children) - 1; i >= 0; i-- {
			stack = append(stack, next.Children[i])
		}
	}
}

// Cursor describes the position at which someone types.
type Cursor struct {
	Node  *Node // node at the position, in the text with the mark
	IsKey bool  // in the key, not the value
	// Start and End delimit the word at the position, with quotes, in the original text.
	Start, End int

	text string // with the mark
	root *Node
}

// Alone reports whether the value is on a different line than its key and could become the first key of a mapping.
func (c Cursor) Alone() bool {
	return c.Node.KeyEnd > 0 && strings.ContainsAny(c.text[c.Node.KeyEnd:c.Node.Start], "\r\n")
}

// Quoted returns a plain word in the quotes that the position needs. Words with quotes keep them.
func (c Cursor) Quoted(word string) string {
	quote := c.text[c.Start : c.Start+1]
	switch {
	case strings.HasPrefix(word, `"`):
		return word
	case quote == "\"" || quote == "'":
		return quote + word + quote
	case c.root.Flow:
		return `"` + word + `"`
	}
	return word
}

// mark is a character that valid texts cannot contain.
const mark = "\x00"

// CursorAt returns the cursor at offset at.
func CursorAt(text string, at int) (c Cursor, ok bool) {
	at = min(max(at, 0), len(text))
	c.text = text[:at] + mark + text[at:]
	c.root = Read(c.text)
	c.Node = c.root.Find(at)
	if c.Node == nil {
		return c, false
	}
	n := c.Node
	switch c.Start, c.End = n.Start, n.End; {
	case n.KeyEnd > 0 && n.KeyStart <= at && at < n.KeyEnd:
		c.IsKey, c.Start, c.End = true, n.KeyStart, n.KeyEnd
		n.Key = strings.Replace(n.Key, mark, "", 1)
	case n.Kind == Scalar && n.Start <= at && at < n.End:
		n.Value = strings.Replace(n.Value, mark, "", 1)
	default:
		return c, false
	}
	c.End -= len(mark)
	return c, true
}
