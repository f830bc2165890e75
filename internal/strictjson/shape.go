package strictjson

import (
	"bytes"
	"encoding/binary"
)

// Shape identifies objects with the same member names in the same order. Logs have few shapes, so that results
// about names can be reused. Shapes exist only for few, unique ASCII names without escapes.
type Shape struct {
	head    uint64 // first eight bytes of the last member's name, little-endian
	mask    uint64 // mask of its actual bytes
	tail    uint64 // its last eight bytes, if longer
	name    string
	before  uint16 // shape without the last member
	longer  uint16 // first shape with one more member, or 0
	sibling uint16 // next shape with the same parent
	index   uint16
	count   uint8 // members
	sorted  bool  // the object is Sorted
	places  [ShapeMembers]uint8
}

// Limits of a scanner's shapes (120 KiB). The first shapes of a log are the most frequent.
const (
	ShapeMembers = fewMembers // members of the largest shape
	shapeName    = 48         // bytes of the longest name
	maxShapes    = 1 << 10    // including prefixes of other shapes
	maxSiblings  = 24
	textsAlone   = 16 // number of texts before shapes are learned, which does not pay for short inputs
)

// noShape is the unknown shape, emptyShape that of an empty object.
const noShape, emptyShape = 0, 1

// Places returns the positions of the members (from 0) in the canonical order of their names (RFC
// 8785 §3.2.3), for ASCII the byte order.
func (s *Shape) Places() []uint8 { return s.places[:s.count] }

// Index returns a small number, unique within the scanner.
func (s *Shape) Index() int { return int(s.index) }

// Shape returns an object's shape, or nil if unknown. Objects with the same *Shape have the same
// members in the same order.
func (n Node) Shape() *Shape {
	if n.doc == nil {
		return nil
	}
	return n.doc.Shape(n.value())
}

// Shape returns the shape of a value, or nil if unknown.
func (d *Document) Shape(v *Value) *Shape {
	if v.shape == noShape {
		return nil
	}
	return &d.shapes[v.shape]
}

// shapes is the tree of known shapes. It is append-only and can be read while the scanner continues.
type shapes []Shape

func newShapes() shapes {
	return append(make(shapes, 0, 32), Shape{}, Shape{index: emptyShape, sorted: true})
}

// follow returns the shape that results from adding the name at src[start] to a known shape, and the end of the
// name; noShape if unknown.
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

// ends reports whether src[start:end] is the last member's name, given equal length and first eight bytes.
func (s *Shape) ends(src []byte, start, end int) bool {
	return binary.LittleEndian.Uint64(src[end-8:]) == s.tail &&
		(len(s.name) <= 16 || string(src[start+8:end-8]) == s.name[8:len(s.name)-8])
}

// learn adds the shape that results from adding a new name (ASCII without escapes) to a known shape. ascends means
// that the object stays Sorted. It returns noShape if the table is full or the name is repeated.
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
		if list[*link].name == string(name) { // follow does not look at the very end of a text
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

// with returns the shape with another member. place is its index in canonical order.
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

// place returns the canonical position of a name in a shape; ok is false if the name is repeated.
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
