package jcs

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// member is one member of an object on its way into order: its first bytes as a
// number that sorts as the name does, which settles almost every comparison.
type member struct {
	prefix uint64
	index  int32 // of Document.Values
	place  int32 // among the members of its object, before they are sorted
}

// sorter puts members into the order of their names. It keeps the memory that this takes.
type sorter struct {
	utf16 bool      // by UTF-16 code units; else by code points
	names [2][]byte // two that are compared, without escapes
	known orders
	room  [fewMembers]member // for members on their way into a known order
}

const highBits = 0x8080808080808080

// member returns member i of its object, ready to be sorted.
func (s *sorter) member(doc *strictjson.Document, i int32) member {
	v := &doc.Values[i]
	start := int(v.KeyStart)
	if v.Has(strictjson.KeyEscaped) || start+8 > len(doc.Source) {
		return s.rareMember(doc, i)
	}
	p := binary.BigEndian.Uint64(doc.Source[start:])
	if n := v.KeyEnd - v.KeyStart; n < 8 {
		p &^= ^uint64(0) >> (8 * n & 63)
	}
	if p&highBits != 0 {
		return s.rareMember(doc, i)
	}
	return member{prefix: p, index: i}
}

// rareMember is member for names with escapes, with characters beyond ASCII, and
// at the very end of the source.
func (s *sorter) rareMember(doc *strictjson.Document, i int32) member {
	name := s.unescapedName(0, doc, i)
	var p uint64
	for k, c := range name[:min(8, len(name))] {
		if s.utf16 {
			c = utf16Rank(c)
		}
		p |= uint64(c) << (56 - 8*k)
	}
	return member{prefix: p, index: i}
}

// utf16Rank maps the bytes of UTF-8 so that comparing the mapped bytes compares the
// UTF-16 code units that RFC 8785 §3.2.3 sorts by. The two orders differ in one
// point: U+E000…U+FFFF, whose first byte is 0xEE or 0xEF, come after the characters
// beyond the basic plane, whose first byte is 0xF0…0xF4, because those are written
// with the surrogates U+D800…U+DFFF.
func utf16Rank(c byte) byte {
	if c == 0xee || c == 0xef {
		return c + 0x10
	}
	return c
}

// sort orders the members of one object by name. Most objects have their members in the
// order of an object before them, if not in that of their names.
func (s *sorter) sort(doc *strictjson.Document, list []member) {
	switch {
	case s.ascend(doc, list):
		return
	case len(list) > fewMembers:
		slices.SortFunc(list, func(a, b member) int { return s.compare(doc, a, b) })
		return
	}
	known := s.known.of(list)
	if s.follow(doc, list, known) {
		return
	}
	for i := range list {
		list[i].place = int32(i)
	}
	s.insert(doc, list)
	known.learn(list)
}

// follow puts members into a known order, if that is theirs.
func (s *sorter) follow(doc *strictjson.Document, list []member, known *order) bool {
	if int(known.size) != len(list) {
		return false
	}
	before := list[known.places[0]]
	s.room[0] = before
	for i, place := range known.places[1:len(list)] {
		m := list[place]
		if m.prefix <= before.prefix && s.compare(doc, before, m) >= 0 {
			return false
		}
		s.room[i+1], before = m, m
	}
	copy(list, s.room[:])
	return true
}

// ascend says whether members are in order, and their names differ: equal ones keep the order
// of the source, whatever was known.
func (s *sorter) ascend(doc *strictjson.Document, list []member) bool {
	for i := 1; i < len(list); i++ {
		if a, b := list[i-1].prefix, list[i].prefix; a > b || a == b && s.compare(doc, list[i-1], list[i]) >= 0 {
			return false
		}
	}
	return true
}

// insert sorts a few members.
func (s *sorter) insert(doc *strictjson.Document, list []member) {
	for i := 1; i < len(list); i++ {
		m := list[i]
		j := i
		for ; j > 0 && m.prefix <= list[j-1].prefix && s.compare(doc, m, list[j-1]) < 0; j-- {
			list[j] = list[j-1]
		}
		list[j] = m
	}
}

func (s *sorter) compare(doc *strictjson.Document, a, b member) int {
	if a.prefix != b.prefix {
		return cmp.Compare(a.prefix, b.prefix)
	}
	x, y := s.unescapedName(0, doc, a.index), s.unescapedName(1, doc, b.index)
	if !s.utf16 {
		return bytes.Compare(x, y)
	}
	return CompareNames(x, y)
}

// CompareNames compares names without escapes in the order that RFC 8785 has for them: below
// zero when x comes before y.
func CompareNames[T string | []byte](x, y T) int {
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return int(utf16Rank(x[i])) - int(utf16Rank(y[i]))
		}
	}
	return len(x) - len(y)
}

// unescapedName returns a member's name; slot says which scratch buffer may hold it.
func (s *sorter) unescapedName(slot int, doc *strictjson.Document, i int32) []byte {
	v := &doc.Values[i]
	raw := doc.Source[v.KeyStart:v.KeyEnd]
	if !v.Has(strictjson.KeyEscaped) {
		return raw
	}
	s.names[slot] = strictjson.AppendUnescaped(s.names[slot][:0], raw)
	return s.names[slot]
}

// appendName writes a member's name with its quotes. No profile normalises names.
func appendName(dst []byte, doc *strictjson.Document, v *strictjson.Value) []byte {
	raw := doc.Source[v.KeyStart:v.KeyEnd]
	if v.Has(strictjson.KeyEscaped) {
		return appendEscaped(dst, raw)
	}
	return append(dst, doc.Source[v.KeyStart-1:v.KeyEnd+1]...)
}
