package diagnosis

import (
	"iter"
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

type edit struct {
	from, to int
	text     string
}

// apply applies edits, which must not overlap.
func apply(line []byte, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, line[at:e.from]...), e.text...)
		at = e.to
	}
	return append(out, line[at:]...)
}

// one yields a text that is not nil.
func one(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if text != nil {
			yield(text)
		}
	}
}

// edited yields a line with edits, if there are any.
func edited(line []byte, edits []edit) iter.Seq[[]byte] {
	if len(edits) == 0 {
		return one(nil)
	}
	return one(apply(line, edits))
}

// values visits all values of a document recursively.
func values(n strictjson.Node, visit func(strictjson.Node)) {
	visit(n)
	if n.Is(strictjson.Object) || n.Is(strictjson.Array) {
		for child := range n.Children() {
			values(child, visit)
		}
	}
}
