// Package search finds words in the texts of a trace. All words of a request are searched in one pass over each
// text.
package search

import (
	"slices"

	"github.com/cupel-dev/cupel/attest/internal/reuse"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Text is a trace value as checks read it: strings unchanged, others as JSON. Forms are computed once, the words of
// a batch are searched together, and each expression is matched once.
type Text struct {
	Value   string
	joined  bool // Value is several; see Joined
	forms   []*sought
	matches map[string]*Match // of the expressions that were asked for; nil: none
	counted []int             // code points before each milestone
}

// Texts caches a trace's texts by node index up to a memory limit; others are rebuilt for every check.
type Texts struct {
	kept   map[int]*Text
	size   int           // of those, in bytes of memory by estimate
	joined map[int]*Text // by the first of their nodes
}

// Limits of the cache. It always accepts one text of any size.
const (
	keptBytes = 8 << 20
	textBytes = 256 // of a text without its bytes
)

// Reset removes all texts but keeps memory for reuse.
func (t *Texts) Reset() { *t = Texts{kept: reuse.Map(t.kept)} }

// Of returns the text of a node.
func (t *Texts) Of(n strictjson.Node) *Text {
	if x := t.Kept(n); x != nil {
		return x
	}
	return newText(n)
}

// Kept returns a node's text if it is cached, else nil, because preparing others is useless.
func (t *Texts) Kept(n strictjson.Node) *Text {
	if x := t.kept[n.Index()]; x != nil {
		return x
	}
	size := textBytes + len(n.Raw())
	if len(t.kept) > 0 && t.size+size > keptBytes {
		return nil
	}
	if t.kept == nil {
		t.kept = map[int]*Text{}
	}
	x := newText(n)
	t.kept[n.Index()] = x
	t.size += size
	return x
}

func newText(n strictjson.Node) *Text {
	value, ok := n.Text()
	if !ok {
		value = string(n.Raw())
	}
	return &Text{Value: value}
}

// In returns the text in a form.
func (x *Text) In(form Form) *sought {
	for _, in := range x.forms {
		if in.form == form {
			return in
		}
	}
	apply := form.Apply
	if x.joined {
		apply = form.applyEach
	}
	in := &sought{form: form, Value: apply(x.Value)}
	x.forms = append(x.forms, in)
	return in
}

// sought is a normalized text with the normalized words to search for.
type sought struct {
	form  Form
	Value string
	words []string
	index map[string]int // into words, when there are many
	hits  []bool         // of the words for which the text has been searched
}

func (in *sought) Seek(word string) int {
	if in.index == nil {
		if i := slices.Index(in.words, word); i >= 0 {
			return i
		}
	} else if i, ok := in.index[word]; ok {
		return i
	}
	in.words = append(in.words, word)
	if len(in.words) > fewNeedles {
		in.remember()
	}
	return len(in.words) - 1
}

// remember stores the indexes of the words added last, or of all.
func (in *sought) remember() {
	if in.index == nil {
		in.index = map[string]int{}
	}
	for i := len(in.index); i < len(in.words); i++ {
		in.index[in.words[i]] = i
	}
}

// Has reports whether the text contains a word. The first call searches for all registered words.
func (in *sought) Has(word string) bool {
	i := in.Seek(word)
	if i >= len(in.hits) {
		in.hits = append(in.hits, searchAll(in.Value, in.words[len(in.hits):])...)
	}
	return in.hits[i]
}
