package jcs

import (
	"bytes"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// IsCanonical reports whether a document is in RFC 8785 form, without writing it: the lengths of its parts leave no
// room for white space, names are in order, and strings and numbers are spelled canonically. Numbers outside the
// range of a double have no canonical form. known is a value that is known to be canonical, or the zero Node.
func IsCanonical(doc *strictjson.Document, known strictjson.Node) bool {
	if doc.Wide {
		return false
	}
	if root := doc.Root(); root.Canonical() && len(root.Raw()) == len(doc.Source) {
		return true
	}
	passed := -1
	if known.Exists() {
		passed = known.Index()
	}
	sorter, size := sorter{utf16: true}, 0
	for i := 0; i < len(doc.Values); i++ {
		v := &doc.Values[i]
		if i == passed {
			size += len(known.Raw())
			i = int(v.Next) - 1
			continue
		}
		switch v.Kind {
		case strictjson.Object, strictjson.Array:
			size += len("[]") + max(0, int(v.Count)-1) // commas
			names, ok := sorter.namesInOrder(doc, i)
			if size += names; !ok {
				return false
			}
			continue
		case strictjson.String:
			size += len(`""`)
		}
		size += int(v.End - v.Start)
		if !spelledSo(doc.Source[v.Start:v.End], v) {
			return false
		}
	}
	return size == len(doc.Source)
}

// namesInOrder checks the order of a container's member names and returns their size with quotes and colons.
func (s *sorter) namesInOrder(doc *strictjson.Document, container int) (size int, ok bool) {
	v := &doc.Values[container]
	if v.Kind == strictjson.Array {
		return 0, true
	}
	var before member
	for i := int32(container) + 1; i < v.Next; i = doc.Values[i].Next {
		m, child := s.member(doc, i), &doc.Values[i]
		size += int(child.KeyEnd-child.KeyStart) + len(`"":`)
		if before.index != 0 && m.prefix <= before.prefix && s.compare(doc, before, m) >= 0 {
			return size, false
		}
		if child.Has(strictjson.KeyEscaped) && !isCanonicalText(doc.Source[child.KeyStart:child.KeyEnd]) {
			return size, false
		}
		before = m
	}
	return size, true
}

// spelledSo reports whether a scalar is written canonically. raw is its source without quotes.
func spelledSo(raw []byte, v *strictjson.Value) bool {
	switch {
	case v.Has(strictjson.Canonical):
		return true
	case v.Kind == strictjson.String:
		return isCanonicalText(raw)
	}
	var room [32]byte
	return bytes.Equal(appendES6(room[:0], raw), raw)
}

// isCanonicalText reports whether a string with escapes is written canonically.
func isCanonicalText(raw []byte) bool {
	written := appendEscaped(make([]byte, 0, len(raw)+2), raw)
	return bytes.Equal(written[1:len(written)-1], raw)
}
