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
	head    uint64 // the first eight bytes of the last member's name, little-endian
	mask    uint64 // of those that it has
	tail    uint64 // its last eight bytes, if it has more
	name    string
	before  uint16 // the shape without the last member
	longer  uint16 // first of the shapes with one member more; 0: there is none
	sibling uint16 // next of the shapes with one member more than the one before
	index   uint16
	count   uint8 // members
	sorted  bool  // Sorted, said of an object
	places  [ShapeMembers]uint8
}

// What a scanner remembers of shapes is bounded: 120 KiB. The first ones of a log are those
// that it has most of.
const (
	ShapeMembers = fewMembers // of the largest
	shapeName    = 48         // bytes of the longest name
	maxShapes    = 1 << 10    // prefixes of other shapes included
	maxSiblings  = 24
	textsAlone   = 16 // texts before the first that shapes are learnt of: short inputs end before it pays
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

// shapes are those that a scanner knows, as a tree. What a document says of one does not change:
// it may be read while the scanner goes on.
type shapes []Shape

func newShapes() shapes {
	return append(make(shapes, 0, 32), Shape{}, Shape{index: emptyShape, sorted: true})
}

// follow returns the shape that the name at src[start], the byte after its quote, makes of a
// known one, and where the name ends. It returns noShape where that is not known.
func (s shapes) follow(known uint16, src []byte, start int) (shape uint16, end int) {
	if known == noShape || start+8 > len(src) {
		return noShape, 0
	}
	word := binary.LittleEndian.Uint64(src[start:])
	for i := s[known].longer; i != noShape; i = s[i].sibling {
		next := &s[i]
		if (word^next.head)&next.mask != 0 {
			continue
		}
		end := start + len(next.name)
		if end < len(src) && src[end] == '"' && (len(next.name) <= 8 || next.ends(src, start, end)) {
			return i, end
		}
	}
	return noShape, 0
}

// ends says whether the bytes src[start:end], of which the first eight are those of the last
// member's name, are the name, which is as long and has more.
func (s *Shape) ends(src []byte, start, end int) bool {
	return binary.LittleEndian.Uint64(src[end-8:]) == s.tail &&
		(len(s.name) <= 16 || string(src[start+8:end-8]) == s.name[8:len(s.name)-8])
}

// learn returns the shape that a name makes of a known one, which follow has not found. The name
// is of ASCII and has no escapes; ascends says whether it makes the object a Sorted one. It
// returns noShape where there is no room for it, or another member has the name.
func (s *shapes) learn(known uint16, name []byte, ascends bool) uint16 {
	list := *s
	if known == noShape || len(list) == maxShapes || len(name) > shapeName || int(list[known].count) == ShapeMembers {
		return noShape
	}
	link, siblings := &list[known].longer, 0
	for ; *link != noShape; link = &list[*link].sibling {
		if siblings++; siblings == maxSiblings {
			return noShape
		}
		if list[*link].name == string(name) { // at the very end of a text, follow does not look
			return *link
		}
	}
	place, ok := list.place(known, name)
	if !ok {
		return noShape
	}
	next := list[known].with(name, place)
	next.before, next.index, next.sorted = known, uint16(len(list)), ascends
	*link = next.index
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
	if len(name) > len(head) {
		next.tail = binary.LittleEndian.Uint64(name[len(name)-len(head):])
	}
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
