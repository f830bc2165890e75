// Package jcs writes canonical JSON: the JSON Canonicalization Scheme of RFC 8785, and
// the profiles of it that callers hand in.
//
// A Writer copies straight from the source bytes of a scanned document, so that
// canonicalising an event costs no allocation when the buffer is reused:
//
//	doc, err := scanner.Scan(line)
//	buf = w.Append(buf[:0], doc.Root())
//
// For a document that is canonical already, the hash of the canonical form is what
// the shell computes:
//
//	printf '{"a":1,"b":[true,"é"]}' | sha256sum
package jcs

import "github.com/cupel-dev/cupel/internal/strictjson"

// Writer writes canonical forms under one profile and reuses its memory. It is not
// safe for concurrent use.
type Writer struct {
	profile *Profile
	order   []member // the members of all open objects, each object's sorted
	open    []frame
	sorter  sorter
	texts   texts
}

// frame is an open container and what is left of it.
type frame struct {
	object    bool
	begun     bool  // a child has been written
	start     int32 // where the object's members begin in Writer.order
	next, end int32 // of Writer.order for an object, of Document.Values for an array
}

// NewWriter returns a writer for a profile; nil means RFC8785.
func NewWriter(p *Profile) *Writer {
	if p == nil {
		p = RFC8785
	}
	return &Writer{profile: p, sorter: sorter{utf16: p.UTF16Order}, texts: texts{nfc: p.NFC}}
}

// Append appends the canonical form of the value n to dst. A value that Scan has
// accepted always has one.
func (w *Writer) Append(dst []byte, n strictjson.Node) []byte {
	w.order, w.open = w.order[:0], w.open[:0]
	doc := n.Document()
	return w.rest(w.value(dst, doc, int32(n.Index())), doc)
}

// AppendObject appends the canonical form of an object that consists of exactly the
// given members. They may come from any objects of one document and in any order,
// but must differ in their names. No members make the empty object.
func (w *Writer) AppendObject(dst []byte, members []strictjson.Node) []byte {
	if len(members) == 0 {
		return append(dst, "{}"...)
	}
	w.order, w.open = w.order[:0], w.open[:0]
	doc := members[0].Document()
	for _, m := range members {
		w.order = append(w.order, w.sorter.member(doc, int32(m.Index())))
	}
	w.sorter.sort(doc, w.order)
	w.open = append(w.open, frame{object: true, end: int32(len(w.order))})
	return w.rest(append(dst, '{'), doc)
}

// rest writes what is left of the open containers. Nesting is kept on w.open, so
// that input cannot drive the goroutine's stack.
func (w *Writer) rest(dst []byte, doc *strictjson.Document) []byte {
	for len(w.open) > 0 {
		f := &w.open[len(w.open)-1]
		if f.next == f.end {
			dst = append(dst, "]}"[b2i(f.object)])
			if f.object {
				w.order = w.order[:f.start]
			}
			w.open = w.open[:len(w.open)-1]
			continue
		}
		if f.begun {
			dst = append(dst, ',')
		}
		f.begun = true
		child := f.next
		if f.object {
			child = w.order[f.next].index
			f.next++
			dst = append(appendName(dst, doc, &doc.Values[child]), ':')
		} else {
			f.next = doc.Values[child].Next
		}
		dst = w.value(dst, doc, child)
	}
	return dst
}

// value writes a scalar, or the opening of a container whose rest follows.
func (w *Writer) value(dst []byte, doc *strictjson.Document, i int32) []byte {
	v := &doc.Values[i]
	switch v.Kind {
	case strictjson.String:
		return w.texts.append(dst, doc.Source[v.Start:v.End], v.Escaped)
	case strictjson.Number:
		return w.profile.number(dst, doc.Source[v.Start:v.End], v.Integer)
	case strictjson.Array:
		w.open = append(w.open, frame{next: i + 1, end: v.Next})
		return append(dst, '[')
	case strictjson.Object:
		start := len(w.order)
		for m := i + 1; m < v.Next; m = doc.Values[m].Next {
			w.order = append(w.order, w.sorter.member(doc, m))
		}
		w.sorter.sort(doc, w.order[start:])
		w.open = append(w.open, frame{object: true, start: int32(start), next: int32(start), end: int32(len(w.order))})
		return append(dst, '{')
	default:
		return append(dst, doc.Source[v.Start:v.End]...)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
