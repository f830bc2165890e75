package jcs

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// member is one member of an object on its way into order: its first bytes as a
// number that sorts as the name does, which settles almost every comparison.
type member struct {
	prefix uint64
	index  int32 // of Document.Values
}

func (w *Writer) newMember(doc *strictjson.Document, i int32) member {
	return member{w.prefix(w.unescapedName(0, doc, i), doc, i), i}
}

// prefix packs the first eight bytes of a name, most significant first; shorter
// names are padded with zeros.
func (w *Writer) prefix(name []byte, doc *strictjson.Document, i int32) uint64 {
	var p uint64
	v := &doc.Values[i]
	switch start := int(v.KeyStart); {
	case !v.KeyEscaped && start+8 <= len(doc.Source):
		p = binary.BigEndian.Uint64(doc.Source[start:])
		if n := len(name); n < 8 {
			p = p >> (64 - 8*n) << (64 - 8*n)
		}
	default:
		for k, c := range name[:min(8, len(name))] {
			p |= uint64(c) << (56 - 8*k)
		}
	}
	const highs = 0x8080808080808080
	if p&highs == 0 || !w.profile.UTF16Order {
		return p
	}
	var q uint64
	for shift := 56; shift >= 0; shift -= 8 {
		q = q<<8 | uint64(utf16Rank(byte(p>>shift)))
	}
	return q
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

// sort orders the members of one object by name. Events are short and often in
// order already, which an insertion sort makes the most of.
func (w *Writer) sort(doc *strictjson.Document, list []member) {
	const few = 24
	if len(list) > few {
		slices.SortFunc(list, func(a, b member) int { return w.compare(doc, a, b) })
		return
	}
	for i := 1; i < len(list); i++ {
		m := list[i]
		j := i
		for ; j > 0 && w.compare(doc, m, list[j-1]) < 0; j-- {
			list[j] = list[j-1]
		}
		list[j] = m
	}
}

func (w *Writer) compare(doc *strictjson.Document, a, b member) int {
	switch {
	case a.prefix < b.prefix:
		return -1
	case a.prefix > b.prefix:
		return 1
	}
	x, y := w.unescapedName(0, doc, a.index), w.unescapedName(1, doc, b.index)
	if !w.profile.UTF16Order {
		return bytes.Compare(x, y)
	}
	return compareUTF16(x, y)
}

func compareUTF16(x, y []byte) int {
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return int(utf16Rank(x[i])) - int(utf16Rank(y[i]))
		}
	}
	return len(x) - len(y)
}

// unescapedName returns a member's name; slot says which scratch buffer may hold it.
func (w *Writer) unescapedName(slot int, doc *strictjson.Document, i int32) []byte {
	v := &doc.Values[i]
	raw := doc.Source[v.KeyStart:v.KeyEnd]
	if !v.KeyEscaped {
		return raw
	}
	w.names[slot] = strictjson.AppendUnescaped(w.names[slot][:0], raw)
	return w.names[slot]
}

// name writes a member's name with its quotes. No profile normalises names.
func (w *Writer) name(dst []byte, doc *strictjson.Document, v *strictjson.Value) []byte {
	raw := doc.Source[v.KeyStart:v.KeyEnd]
	if v.KeyEscaped {
		return appendEscaped(dst, raw)
	}
	return append(dst, doc.Source[v.KeyStart-1:v.KeyEnd+1]...)
}
