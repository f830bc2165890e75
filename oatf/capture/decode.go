package capture

import (
	"errors"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Limits limits the size of a message. A zero field means its default.
type Limits struct {
	LineBytes int // length of a line or text; default 16 MiB
	Depth     int // nested arrays and objects; default 128, at most 10,000
	Values    int // values of a line, containers and their contents; default 1,000,000
	Keys      int // members of one object; default 100,000
}

// The default limits. A decoded value takes up to 100 bytes, so the limit on values per line limits memory.
const (
	DefaultLineBytes = 16 << 20
	DefaultDepth     = 128
	DefaultValues    = 1_000_000
	DefaultKeys      = strictjson.DefaultKeys
)

// mostDepth is the maximum of Limits.Depth, because values are built recursively.
const mostDepth = 10_000

func (l Limits) withDefaults() Limits {
	orDefault := func(limit *int, value int) {
		if *limit <= 0 {
			*limit = value
		}
	}
	orDefault(&l.LineBytes, DefaultLineBytes)
	orDefault(&l.Depth, DefaultDepth)
	orDefault(&l.Values, DefaultValues)
	orDefault(&l.Keys, DefaultKeys)
	l.Depth = min(l.Depth, mostDepth)
	return l
}

// scanner returns a scanner of messages. It accepts numbers beyond a double, because conditions compare numbers
// exactly.
func (l Limits) scanner() *strictjson.Scanner {
	return strictjson.NewScanner(strictjson.Limits{
		TextBytes: l.LineBytes, Depth: l.Depth, Values: l.Values, Keys: l.Keys, WideNumbers: true,
	})
}

// Decode parses a JSON text, on one or several lines, as strictly as a Reader. Numbers are kept as written and
// object members in order. The error is a *LineError with the position.
func Decode(text []byte, limits Limits) (model.Value, error) {
	doc, fault := scan(limits.withDefaults().scanner(), text)
	if fault != nil {
		return nil, textError(text, fault)
	}
	return new(builder).value(doc.Root()), nil
}

func scan(s *strictjson.Scanner, text []byte) (*strictjson.Document, *strictjson.Error) {
	doc, err := s.Scan(text)
	fault, _ := errors.AsType[*strictjson.Error](err)
	return doc, fault
}

// builder builds values from parsed texts. It allocates lists from slabs, which reset reuses.
type builder struct {
	members slab[model.Member]
	values  slab[model.Value]

	doc    *strictjson.Document // of the value that is being built
	text   string               // source of the value
	origin int32                // where in the document's source text begins

	scratch []byte // a string without its escapes
}

var emptyObject model.Value = model.Object{}

// value builds the value of a node, nil if missing. It is valid until reset.
func (b *builder) value(n strictjson.Node) model.Value {
	if !n.Exists() {
		return nil
	}
	start, end := n.Span()
	b.doc = n.Document()
	b.text, b.origin = string(b.doc.Source[start:end]), int32(start)
	v := b.build(int32(n.Index()))
	b.doc, b.text = nil, ""
	return v
}

func (b *builder) build(i int32) model.Value {
	switch v := &b.doc.Values[i]; v.Kind {
	case strictjson.Object:
		return b.object(i, v)
	case strictjson.Array:
		return b.array(i, v)
	case strictjson.String:
		return b.string(v.Start, v.End, v.Has(strictjson.Escaped))
	case strictjson.Number:
		return model.Number(b.text[v.Start-b.origin : v.End-b.origin])
	case strictjson.True, strictjson.False:
		return v.Kind == strictjson.True
	default:
		return nil
	}
}

func (b *builder) object(i int32, v *strictjson.Value) model.Value {
	if v.Count == 0 {
		return emptyObject
	}
	members := b.members.take(int(v.Count))
	at := i + 1
	for n := range members {
		child := &b.doc.Values[at]
		members[n] = model.Member{Key: b.string(child.KeyStart, child.KeyEnd, child.Has(strictjson.KeyEscaped)), Value: b.build(at)}
		at = child.Next
	}
	return model.Object(members)
}

func (b *builder) array(i int32, v *strictjson.Value) model.Value {
	elements := b.values.take(int(v.Count))
	at := i + 1
	for n := range elements {
		elements[n] = b.build(at)
		at = b.doc.Values[at].Next
	}
	return elements
}

func (b *builder) string(start, end int32, escaped bool) string {
	if escaped {
		b.scratch = strictjson.AppendUnescaped(b.scratch[:0], b.doc.Source[start:end])
		return string(b.scratch)
	}
	return b.text[start-b.origin : end-b.origin]
}

// reset invalidates all values.
func (b *builder) reset() {
	b.members.reset()
	b.values.reset()
	if cap(b.scratch) > mostScratch {
		b.scratch = nil
	}
}

// slab allocates small lists from a large one.
type slab[T any] struct {
	free []T // length 0 after reset: cut parts are before its end
}

// Slab sizes. The first is small, because most programs decode few messages. Oversized slabs are not reused.
const (
	leastSlab = 256
	mostSlab  = 16 << 10

	mostScratch = 1 << 20
)

func (s *slab[T]) take(n int) []T {
	if n > cap(s.free)-len(s.free) {
		s.free = make([]T, 0, max(n, leastSlab, min(2*cap(s.free), mostSlab)))
	}
	start := len(s.free)
	s.free = s.free[:start+n]
	return s.free[start : start+n : start+n]
}

func (s *slab[T]) reset() {
	if cap(s.free) > mostSlab {
		s.free = nil
		return
	}
	clear(s.free)
	s.free = s.free[:0]
}
