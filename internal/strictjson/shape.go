package strictjson

import (
	"bytes"
	"encoding/binary"
)

// Shape is what all objects have in common that name the same members in the same order. The
// objects of a log have few shapes: what was found out about the names of one need not be
// found out again. A shape is known by the bytes of its names, each of which is compared.
//
// Only names of ASCII without escapes make a shape, few of them, and all different.
type Shape struct {
	places  [ShapeMembers]uint8 // of the members, in canonical order
	name    string              // of the last member
	head    uint64              // its first eight bytes, little-endian
	mask    uint64              // of the bytes of head that belong to the name
	before  uint16              // the shape without the last member
	longer  uint16              // first of the shapes with one member more; 0: there is none
	sibling uint16              // next of the shapes with one member more than the one before
	index   uint16
	count   uint8 // members
	sorted  bool  // Sorted, said of an object
}

// What a scanner remembers of shapes is bounded: 120 KiB. The first ones of a log are those
// that it has most of.
const (
	ShapeMembers  = fewMembers // of the largest
	shapeName     = 48         // bytes of the longest name
	maxShapes     = 1 << 10    // prefixes of other shapes included
	maxSiblings   = 24
	shapelessText = 32 // texts before the first that is learnt from: most scanners read few
)

// noShape is that of an object of which nothing is known, emptyShape that of one without members.
const noShape, emptyShape = 0, 1

// Places returns the places of an object's members, the first being 0, in the canonical order
// of their names (RFC 8785 §3.2.3), which for names of ASCII is that of their bytes.
func (s *Shape) Places() []uint8 { return s.places[:s.count] }

// Index is a small number, which no other shape that the same scanner knows has.
func (s *Shape) Index() int { return int(s.index) }

// Shape returns the shape of an object; nil when it is not known. An object whose shape is the
// same *Shape has the same members in the same order.
func (n Node) Shape() *Shape {
	if n.doc == nil {
		return nil
	}
	return n.doc.Shape(n.value())
}

// Shape returns the shape of one of the document's values, nil when it is not known.
func (d *Document) Shape(v *Value) *Shape {
	if v.shape == noShape {
		return nil
	}
	return &d.shapes[v.shape]
}

// shapes are those that a scanner knows, as a tree. They do not move, and what Places and Index
// say of one does not change: documents are read while the scanner goes on.
type shapes []Shape

func newShapes() shapes {
	return append(make(shapes, 0, maxShapes), Shape{}, Shape{index: emptyShape, sorted: true})
}

// follow returns the shape that the name at src[start], the byte after its quote, makes of a
// known one, and where the name ends. It returns noShape where that is not known.
func (s shapes) follow(known uint16, src []byte, start int) (shape uint16, end int) {
	if known == noShape || start+8 > len(src) {
		return noShape, 0
	}
	word := binary.LittleEndian.Uint64(src[start:])
	for i := s[known].longer; i != noShape; {
		next := &s[i]
		end := start + len(next.name)
		if word&next.mask == next.head && end < len(src) && src[end] == '"' &&
			(len(next.name) <= 8 || string(src[start+8:end]) == next.name[8:]) {
			return i, end
		}
		i = next.sibling
	}
	return noShape, 0
}

// learn returns the shape that a name makes of a known one, which follow has not found. The name
// is of ASCII and has no escapes; ascends says whether it makes the object a Sorted one. It
// returns noShape where there is no room for it, or another member has the name.
func (s *shapes) learn(known uint16, name []byte, ascends bool) uint16 {
	list := *s
	if known == noShape || len(list) == cap(list) || len(name) > shapeName || int(list[known].count) == ShapeMembers {
		return noShape
	}
	siblings := 0
	for i := list[known].longer; i != noShape; i = list[i].sibling {
		if siblings++; siblings == maxSiblings {
			return noShape
		}
		if list[i].name == string(name) { // at the very end of a text, follow does not look
			return i
		}
	}
	place, ok := list.place(known, name)
	if !ok {
		return noShape
	}
	next := list[known].with(name, place)
	next.before, next.sibling, next.index, next.sorted = known, list[known].longer, uint16(len(list)), ascends
	list[known].longer = next.index
	*s = append(list, next)
	return next.index
}

// with returns a shape with one member more, of which this many come before it in canonical order.
func (s *Shape) with(name []byte, place int) Shape {
	next := Shape{places: s.places, name: string(name), mask: ^uint64(0), count: s.count + 1}
	copy(next.places[place+1:], s.places[place:s.count])
	next.places[place] = s.count
	var head [8]byte
	if n := copy(head[:], name); n < len(head) {
		next.mask = 1<<(8*n) - 1
	}
	next.head = binary.LittleEndian.Uint64(head[:])
	return next
}

// place returns how many names of a shape come before another in canonical order; not ok when
// the other is one of them.
func (s shapes) place(known uint16, name []byte) (place int, ok bool) {
	for i := known; i != emptyShape; i = s[i].before {
		switch bytes.Compare([]byte(s[i].name), name) {
		case 0:
			return 0, false
		case -1:
			place++
		}
	}
	return place, true
}
