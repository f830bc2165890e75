package search

import (
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Separators in a joined text. They are invalid UTF-8, so no word contains them.
const (
	valueEnd = '\xff'
	groupEnd = '\xfe'
)

// Joined returns one text of all strings, numbers and literals below the nodes (at least one), separated so that
// words do not span values. Each node is a group. The result is always cached; no node can be in two of them.
func (t *Texts) Joined(groups []strictjson.Node) *Text {
	key := groups[0].Index()
	if t.joined[key] == nil {
		if t.joined == nil {
			t.joined = map[int]*Text{}
		}
		t.joined[key] = join(groups)
	}
	return t.joined[key]
}

func join(groups []strictjson.Node) *Text {
	var b strings.Builder
	for _, group := range groups {
		for n := range group.All() {
			if n.Is(strictjson.Object) || n.Is(strictjson.Array) {
				continue
			}
			if n.Is(strictjson.String) {
				b.Write(n.TextBytes(nil))
			} else {
				b.Write(n.Raw())
			}
			b.WriteByte(valueEnd)
		}
		b.WriteByte(groupEnd)
	}
	return &Text{Value: b.String(), joined: true}
}

// applyEach normalizes each value of a joined text.
func (f Form) applyEach(s string) string {
	if f == (Form{}) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for start := 0; start < len(s); {
		end := start
		for s[end] < groupEnd {
			end++
		}
		b.WriteString(f.Apply(s[start:end]))
		b.WriteByte(s[end])
		start = end + 1
	}
	return b.String()
}

// Groups returns the number of groups that contain a word, and the first of them.
func (in *sought) Groups(word string) (count, first int) {
	if !in.Has(word) {
		return 0, 0
	}
	group := 0
	for rest := in.Value; ; group++ {
		i := strings.Index(rest, word)
		if i < 0 {
			return count, first
		}
		group += strings.Count(rest[:i], "\xfe")
		if count++; count == 1 {
			first = group
		}
		rest = rest[i+strings.IndexByte(rest[i:], groupEnd)+1:]
	}
}
