package bundle

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Change is a value that differs between two events.
type Change struct {
	Pointer string  `json:"pointer"` // JSON pointer (RFC 6901) within the event; a very long one is cut
	A       *string `json:"a"`       // how its canonical JSON begins; nil when it is not there
	B       *string `json:"b"`
}

// MaxChanges bounds the listed changes of an event; others are counted.
const MaxChanges = 100

const (
	shownValue   = 80  // bytes of a value
	shownPointer = 400 // bytes of a pointer
)

// changes gathers what differs between the contents of two events.
type changes struct {
	at      []step // the values that are compared
	list    []Change
	omitted int
}

// step leads from a value to one below it: a member, or an element of an array.
type step struct {
	name  string
	index int // -1: a member
}

// events compares two events of one type and subject.
func (c *changes) events(a, b *evidence.Event) {
	c.below(member(evidence.AttrData.String()), a.Get(evidence.AttrData), b.Get(evidence.AttrData))
	mediaA, mediaB := a.Get(evidence.AttrContentType), b.Get(evidence.AttrContentType)
	if mediaType(mediaA) != mediaType(mediaB) {
		c.below(member(evidence.AttrContentType.String()), mediaA, mediaB)
	}
}

// mediaType returns datacontenttype as used by the content hash.
func mediaType(v evidence.Value) string {
	if text, ok := v.Text(); ok {
		return text
	}
	return "application/json"
}

func member(name string) step { return step{name, -1} }

// below compares two values that a step leads to.
func (c *changes) below(to step, a, b evidence.Value) {
	c.at = append(c.at, to)
	c.values(a, b)
	c.at = c.at[:len(c.at)-1]
}

func (c *changes) values(a, b evidence.Value) {
	switch {
	case a.Kind() == evidence.KindObject && b.Kind() == evidence.KindObject:
		c.members(byName(a), byName(b))
	case a.Kind() == evidence.KindArray && b.Kind() == evidence.KindArray:
		c.elements(elements(a), elements(b))
	case !same(a, b):
		c.add(a, b)
	}
}

// same compares two values that are not both the same kind of container.
func same(a, b evidence.Value) bool {
	return a.Kind() == b.Kind() && (bytes.Equal(a.Raw(), b.Raw()) || bytes.Equal(a.AppendCanonical(nil), b.AppendCanonical(nil)))
}

type named struct {
	name  string
	value evidence.Value
}

// byName are the members of an object in the order of their names.
func byName(object evidence.Value) []named {
	list := make([]named, 0, object.Len())
	for v := range object.Children() {
		list = append(list, named{v.Name(), v})
	}
	slices.SortFunc(list, func(a, b named) int { return strings.Compare(a.name, b.name) })
	return list
}

func (c *changes) members(a, b []named) {
	for len(a) > 0 || len(b) > 0 {
		order := 0
		switch {
		case len(b) == 0:
			order = -1
		case len(a) == 0:
			order = 1
		default:
			order = strings.Compare(a[0].name, b[0].name)
		}
		var left, right named
		if order <= 0 {
			left, a = a[0], a[1:]
		}
		if order >= 0 {
			right, b = b[0], b[1:]
		}
		c.below(member(max(left.name, right.name)), left.value, right.value)
	}
}

func elements(array evidence.Value) []evidence.Value {
	return slices.AppendSeq(make([]evidence.Value, 0, array.Len()), array.Children())
}

func (c *changes) elements(a, b []evidence.Value) {
	for i := range max(len(a), len(b)) {
		var left, right evidence.Value
		if i < len(a) {
			left = a[i]
		}
		if i < len(b) {
			right = b[i]
		}
		c.below(step{index: i}, left, right)
	}
}

func (c *changes) add(a, b evidence.Value) {
	if len(c.list) == MaxChanges {
		c.omitted++
		return
	}
	c.list = append(c.list, Change{c.pointer(), previewOf(a), previewOf(b)})
}

// pointer returns the path of the compared values, up to the displayed length.
func (c *changes) pointer() string {
	var b strings.Builder
	for _, s := range c.at {
		switch {
		case b.Len() > shownPointer:
			return say.Preview(b.String(), shownPointer)
		case s.index < 0:
			b.WriteString("/" + strictjson.PointerToken(say.Preview(s.name, shownPointer)))
		default:
			b.WriteString("/" + strconv.Itoa(s.index))
		}
	}
	return say.Preview(b.String(), shownPointer)
}

func previewOf(v evidence.Value) *string {
	if !v.Exists() {
		return nil
	}
	text := say.Preview(v.AppendCanonical(nil), shownValue)
	return &text
}
