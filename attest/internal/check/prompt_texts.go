package check

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/target"
	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// maxAsked limits the bytes of trace text held for pending questions. Shared texts count once.
const maxAsked = 16 << 20

// tooMuch returns the verdict for a question beyond the limit.
func tooMuch() Verdict {
	return broken(fmt.Sprintf("Not evaluated: models would be given more than %d bytes of this trace; send its assertions in several requests.", maxAsked)).
		because(textsTooLong, strconv.Itoa(maxAsked), "")
}

type promptTexts struct {
	texts map[string][]string // by target or kind
	bytes int
}

// read returns values as texts for a model: strings unchanged, others as JSON. They are cached by key; ok is false
// if they are too large.
func (t *promptTexts) read(s *Subject, key string, values []strictjson.Node) (texts []string, ok bool) {
	if texts, ok = t.texts[key]; ok {
		return texts, true
	}
	for _, n := range values {
		t.bytes += len(n.Raw())
	}
	if t.bytes > maxAsked {
		return nil, false
	}
	for _, n := range values {
		texts = append(texts, s.texts.Of(n).Value)
	}
	if t.texts == nil {
		t.texts = map[string][]string{}
	}
	t.texts[key] = texts
	return texts, true
}

// targetText returns a target's text, with several values separated by an empty line. n is the first of them. If
// there is no text, refusal is the verdict.
func (x *Subject) targetText(t *target.Target) (text string, n strictjson.Node, refusal *Verdict) {
	values, m := t.Resolve(&x.Targets)
	if m != nil {
		return "", n, new(notThere(m))
	}
	for _, n := range values.Nodes {
		if n.Is(strictjson.Null) {
			return "", n, new(broken(t.Shown+values.Note+" not found: it is null, so there is no text.").because(targetNull, t.Shown, ""))
		}
	}
	texts, ok := x.told.read(x, t.String(), values.Nodes)
	if !ok {
		return "", n, new(tooMuch())
	}
	return strings.Join(texts, "\n\n"), values.Nodes[0], nil
}

// Keys of texts that do not belong to a target.
const (
	inputKey     = "?input"
	retrievedKey = "?retrieved"
)

// inputText returns the agent's input: the user's message if there is nothing else, otherwise the whole input as
// JSON.
func (x *Subject) inputText() (text string, ok bool) {
	n := x.Trace.Members[trace.Input]
	if n.Missing() {
		return "", true
	}
	if message := n.Last("user_message"); message.Is(strictjson.String) && aloneIn(n, message) {
		n = message
	}
	texts, ok := x.told.read(x, inputKey, []strictjson.Node{n})
	return strings.Join(texts, ""), ok
}

// aloneIn reports whether all other members of an object are empty.
func aloneIn(n, only strictjson.Node) bool {
	for member := range n.Children() {
		if member.Index() != only.Index() && !saysNothing(member) {
			return false
		}
	}
	return true
}

// saysNothing reports whether a value is null or an empty string, list or object.
func saysNothing(n strictjson.Node) bool {
	return n.Missing() || n.TextIs("") || (n.Is(strictjson.Object) || n.Is(strictjson.Array)) && n.Len() == 0
}

// retrievedTexts returns the results of retrieval steps in a trace and its sub-traces.
func (x *Subject) retrievedTexts() (texts []string, ok bool) {
	var results []strictjson.Node
	for t := range x.Trace.Levels() {
		for i := range t.Steps {
			if result := t.Steps[i].Node.Last("result"); t.Steps[i].Type == trace.Retrieval && !saysNothing(result) {
				results = append(results, result)
			}
		}
	}
	return x.told.read(x, retrievedKey, results)
}
