package importer

import (
	"sort"
	"sync"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// value is one JSON value of an input: a line or the whole input.
type value struct {
	text  []byte
	line  int // first line, 1-based
	index int // index in the input's values
}

// part is a source of a trace: a whole value, or one span in it.
type part struct {
	*value
	start, end int
	pointer    string // of the piece
}

func (p part) bytes() []byte { return p.text[p.start:p.end] }

// origin maps a trace to its source.
type origin struct {
	marks   marks
	parts   []part
	scanner func() *strictjson.Scanner

	mu   sync.Mutex
	last int // the part that doc was scanned from
	doc  *strictjson.Document
}

func (o *origin) Pointer(offset int) string {
	i, at := o.marks.find(offset)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.doc == nil || o.last != i {
		doc, err := o.scanner().Scan(o.parts[i].bytes())
		if err != nil {
			return o.parts[i].pointer // it has been scanned before
		}
		o.doc, o.last = doc, i
	}
	return o.parts[i].pointer + nodeAt(o.doc, at).Pointer()
}

func nodeAt(doc *strictjson.Document, at int) strictjson.Node {
	i := sort.Search(len(doc.Values), func(i int) bool {
		start, _ := doc.Node(i).Span()
		return start > at
	})
	return doc.Node(max(i-1, 0))
}

func (o *origin) Place(offset int) (text []byte, line, at int) {
	i, at := o.marks.find(offset)
	return o.parts[i].text, o.parts[i].line, o.parts[i].start + at
}
