package attest

import (
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// text is one value of a trace as checks read it: a string as it is, anything else as
// the JSON that was sent. Its forms are made once, and all words that a batch seeks in
// one form are sought together.
type text struct {
	value string
	forms []*sought
}

// text returns the text of a node.
func (t *trace) text(n strictjson.Node) *text {
	if x := t.texts[n.Index()]; x != nil {
		return x
	}
	value, ok := n.Text()
	if !ok {
		value = string(n.Raw())
	}
	x := &text{value: value}
	if t.texts == nil {
		t.texts = map[int]*text{}
	}
	t.texts[n.Index()] = x
	return x
}

// in returns the text in a form.
func (x *text) in(form textForm) *sought {
	for _, in := range x.forms {
		if in.form == form {
			return in
		}
	}
	in := &sought{form: form, value: form.apply(x.value)}
	x.forms = append(x.forms, in)
	return in
}

// sought is a text in one form with the words that are sought in it, in that form too.
type sought struct {
	form  textForm
	value string
	words []string
	index map[string]int // into words, when there are many
	hits  []bool         // of the words for which the text has been searched
}

// seek asks for a word, once, and returns its index.
func (in *sought) seek(word string) int {
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

// has says whether the text contains a word. The first question answers for all words
// that were asked for until then.
func (in *sought) has(word string) bool {
	i := in.seek(word)
	if i >= len(in.hits) {
		in.hits = append(in.hits, searchAll(in.value, in.words[len(in.hits):])...)
	}
	return in.hits[i]
}
