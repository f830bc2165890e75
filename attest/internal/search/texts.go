// Package search finds words in the texts of a trace: all that a request asks for in one
// pass over each text.
package search

import (
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Text is one value of a trace as checks read it: a string as it is, anything else as
// the JSON that was sent. Its forms are made once, and all words that a batch seeks in
// one form are sought together.
type Text struct {
	Value string
	forms []*sought
}

// Texts holds the texts of one trace that checks have read, by node index.
type Texts map[int]*Text

// Of returns the text of a node.
func (t *Texts) Of(n strictjson.Node) *Text {
	if x := (*t)[n.Index()]; x != nil {
		return x
	}
	value, ok := n.Text()
	if !ok {
		value = string(n.Raw())
	}
	x := &Text{Value: value}
	if *t == nil {
		*t = Texts{}
	}
	(*t)[n.Index()] = x
	return x
}

// In returns the text in a form.
func (x *Text) In(form Form) *sought {
	for _, in := range x.forms {
		if in.form == form {
			return in
		}
	}
	in := &sought{form: form, Value: form.Apply(x.Value)}
	x.forms = append(x.forms, in)
	return in
}

// sought is a text in one form with the words that are sought in it, in that form too.
type sought struct {
	form  Form
	Value string
	words []string
	index map[string]int // into words, when there are many
	hits  []bool         // of the words for which the text has been searched
}

// Seek asks for a word, once, and returns its index.
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

// remember notes the indexes of the words that came last, or of all.
func (in *sought) remember() {
	if in.index == nil {
		in.index = map[string]int{}
	}
	for i := len(in.index); i < len(in.words); i++ {
		in.index[in.words[i]] = i
	}
}

// Has says whether the text contains a word. The first question answers for all words
// that were asked for until then.
func (in *sought) Has(word string) bool {
	i := in.Seek(word)
	if i >= len(in.hits) {
		in.hits = append(in.hits, searchAll(in.Value, in.words[len(in.hits):])...)
	}
	return in.hits[i]
}
