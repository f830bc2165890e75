package jcs

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// member is an object member to sort. The first bytes of its name as a number settle most comparisons.
type member struct {
	prefix uint64
	index  int32 // of Document.Values
	place  int32 // position in the object before sorting
}

// sorter sorts members by name and reuses its memory.
type sorter struct {
	utf16 bool      // sort by UTF-16 code units; else by code points
	names [2][]byte // unescaped names to compare
	known orders
	room  [fewMembers]member // members being arranged
}

const highBits = 0x8080808080808080

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

// rareMember is member for names with escapes, non-ASCII names, and names at the end of the source.
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

// utf16Rank maps UTF-8 bytes to sort as the UTF-16 code units of RFC 8785 §3.2.3. The orders differ
// only in U+E000…U+FFFF (first byte 0xEE or 0xEF), which come after the characters outside the
// basic plane (0xF0…0xF4), written with surrogates U+D800…U+DFFF.
func utf16Rank(c byte) byte {
	if c == 0xee || c == 0xef {
		return c + 0x10
	}
	return c
}

// sort sorts the members of one object by name. Most objects are in the order of an earlier object.
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

// follow applies a known order if it fits.
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

// ascend reports whether members are in order and have different names; equal names must keep the source order.
func (s *sorter) ascend(doc *strictjson.Document, list []member) bool {
	for i := 1; i < len(list); i++ {
		if a, b := list[i-1].prefix, list[i].prefix; a > b || a == b && s.compare(doc, list[i-1], list[i]) >= 0 {
			return false
		}
	}
	return true
}

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

// CompareNames compares names without escapes in RFC 8785 order. The result is negative if x sorts before y.
func CompareNames[T string | []byte](x, y T) int {
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return int(utf16Rank(x[i])) - int(utf16Rank(y[i]))
		}
	}
	return len(x) - len(y)
}

// unescapedName returns a member's name; slot selects the scratch buffer.
func (s *sorter) unescapedName(slot int, doc *strictjson.Document, i int32) []byte {
	v := &doc.Values[i]
	raw := doc.Source[v.KeyStart:v.KeyEnd]
	if !v.Has(strictjson.KeyEscaped) {
		return raw
	}
	s.names[slot] = strictjson.AppendUnescaped(s.names[slot][:0], raw)
	return s.names[slot]
}

func appendName(dst []byte, doc *strictjson.Document, v *strictjson.Value) []byte {
	raw := doc.Source[v.KeyStart:v.KeyEnd]
	if v.Has(strictjson.KeyEscaped) {
		return appendEscaped(dst, raw)
	}
	return append(dst, doc.Source[v.KeyStart-1:v.KeyEnd+1]...)
}
