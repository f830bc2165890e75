// Package draft reads YAML and JSON as they are while somebody types: which keys and values
// there are, where they stand and what they stand in. It refuses nothing. What cannot be
// understood is passed over, and a bracket or a quote that is not closed ends with what it
// stands in, so that one broken line leaves the others as they are:
//
//	attack:
//	  indicators:
//	    - surface: tool_na     # the value of attack.indicators[].surface
//	      patt                 # a key, perhaps, of attack.indicators[]
//
// It is no parser: it knows nothing of anchors and tags, and takes a text that is not YAML
// for one. What a document means is for others to say.
package draft

import "strings"

// Kind is what a value is.
type Kind uint8

// The kinds.
const (
	Empty Kind = iota // there is none
	Scalar
	Mapping
	List
)

// Node is a key with its value, an element of a list, or the whole. All places are bytes of
// the text.
type Node struct {
	Parent   *Node // nil of the whole
	Children []*Node

	Key              string // without quotes; "" of an element and of the whole
	KeyStart, KeyEnd int    // with quotes; both 0 when there is no key
	Unfinished       bool   // a word where a key is expected, without a colon

	Kind       Kind
	Value      string // of a scalar, without quotes
	Start, End int    // of the value with its quotes, or its first part; where it would begin when there is none
	Flow       bool   // it stands in brackets, or is such a collection
}

// Element says whether the node is one of a list.
func (n *Node) Element() bool { return n.Parent != nil && n.KeyEnd == 0 }

// Child is the value of a key; nil when there is none.
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

// Elements are the elements of a list; there are none of anything else.
func (n *Node) Elements() []*Node {
	if n == nil || n.Kind != List {
		return nil
	}
	return n.Children
}

// At follows keys down; nil when one of them is not there.
func (n *Node) At(keys ...string) *Node {
	for _, key := range keys {
		n = n.Child(key)
	}
	return n
}

// Text is the scalar of a key, "" when there is none.
func (n *Node) Text(key string) string {
	if c := n.Child(key); c != nil && c.Kind == Scalar {
		return c.Value
	}
	return ""
}

// ElementStep is the step of a path that leads to the elements of a list.
const ElementStep = "[]"

// Path leads from the whole to the node: keys, and ElementStep for the elements of lists.
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

// Extent is the part of the text from the node's key, or its value, to the end of all that is
// in it.
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

// Find is the node whose key or scalar a place is in, or at the end of; nil when there is none.
func (n *Node) Find(at int) *Node {
	var found *Node
	n.Each(func(c *Node) {
		if c.KeyEnd > 0 && c.KeyStart <= at && at <= c.KeyEnd || c.Kind == Scalar && c.Start <= at && at <= c.End {
			found = c
		}
	})
	return found
}

// Each goes through a node and all below it, in the order of the text.
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

// Cursor is what stands at a place where somebody types.
type Cursor struct {
	Node  *Node // that the place is in, of a text with a mark at that place
	IsKey bool  // in its key, not in its value
	// Start and End are the word at the place, with its quotes, in the text as it was.
	Start, End int

	text string // with the mark
	root *Node
}

// Alone says whether the value at the place stands on another line than its key, so that it may
// become the first key of a mapping.
func (c Cursor) Alone() bool {
	return c.Node.KeyEnd > 0 && strings.ContainsAny(c.text[c.Node.KeyEnd:c.Node.Start], "\r\n")
}

// Quoted is a plain word as it would stand at the place: in the quotes that are there, and in
// those of JSON. One that has quotes of its own keeps them.
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

// mark is a character that no text has: a reader refuses it.
const mark = "\x00"

// CursorAt says what stands at a place, or would when something were typed there.
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
