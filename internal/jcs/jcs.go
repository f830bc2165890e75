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
	asIs    bool     // what the scanner knows to be canonical is copied
	order   []member // the members of all open objects, each object's sorted
	open    []frame
	sorter  sorter
	texts   texts
	room    [strictjson.ShapeMembers]int32 // for members on their way into order
}

// frame is an open container and what is left of it.
type frame struct {
	object    bool
	begun     bool  // a child has been written
	sorted    bool  // its members are in Writer.order; else its children are in the order of the source
	start     int32 // where its members begin in Writer.order
	next, end int32 // of Writer.order or of Document.Values
}

// NewWriter returns a writer for a profile; nil means RFC8785.
func NewWriter(p *Profile) *Writer {
	if p == nil {
		p = RFC8785
	}
	return &Writer{profile: p, asIs: p.asIs(), sorter: sorter{utf16: p.UTF16Order}, texts: texts{nfc: p.NFC}}
}

// Append appends the canonical form of the value n to dst. A value that Scan has
// accepted always has one.
func (w *Writer) Append(dst []byte, n strictjson.Node) []byte {
	w.order, w.open = w.order[:0], w.open[:0]
	doc := n.Document()
	return w.rest(w.value(dst, doc, int32(n.Index())), doc)
}

// AsIs says that the source of the value n is its canonical form. It is sure, but does not look
// for it: what is known is what the scan has marked.
func (w *Writer) AsIs(n strictjson.Node) bool { return w.asIs && n.Canonical() }

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
	w.open = append(w.open, frame{object: true, sorted: true, end: int32(len(w.order))})
	return w.rest(append(dst, '{'), doc)
}

// rest writes what is left of the open containers. Nesting is kept on w.open, so
// that input cannot drive the goroutine's stack.
func (w *Writer) rest(dst []byte, doc *strictjson.Document) []byte {
	for len(w.open) > 0 {
		f := &w.open[len(w.open)-1]
		if f.next == f.end {
			dst = append(dst, "]}"[b2i(f.object)])
			if f.sorted {
				w.order = w.order[:f.start]
			}
			w.open = w.open[:len(w.open)-1]
			continue
		}
		dst = w.children(dst, doc, f)
	}
	return dst
}

// children writes a container's next children: all that are left, or those up to a container
// whose rest follows.
func (w *Writer) children(dst []byte, doc *strictjson.Document, f *frame) []byte {
	for f.next != f.end {
		if f.begun {
			dst = append(dst, ',')
		}
		f.begun = true
		i := w.take(doc, f)
		v := &doc.Values[i]
		if w.copies(v) {
			dst = w.copyRun(dst, doc, f, v)
			continue
		}
		if f.object {
			dst = append(appendName(dst, doc, v), ':')
		}
		dst = w.value(dst, doc, i)
		if v.Kind >= strictjson.Array { // f has moved, and is not the innermost any more
			return dst
		}
	}
	return dst
}

// copyRun copies a child and those after it that stand in the source as they are written.
func (w *Writer) copyRun(dst []byte, doc *strictjson.Document, f *frame, v *strictjson.Value) []byte {
	from, end := v.Span()
	if f.object {
		if from != v.KeyEnd+2 { // there is white space beside the colon
			dst = append(copyShort(dst, doc.Source, v.KeyStart-1, v.KeyEnd+1), ':')
			return copyShort(dst, doc.Source, from, end)
		}
		from = v.KeyStart - 1
	}
	for f.next != f.end {
		i := w.peek(f)
		next := &doc.Values[i]
		start, stop := next.Span()
		if f.object {
			if start != next.KeyEnd+2 {
				break
			}
			start = next.KeyStart - 1
		}
		if i != v.Next || start != end+1 || !w.copies(next) { // end+1: one comma between them
			break
		}
		v, end = next, stop
		w.take(doc, f)
	}
	return copyShort(dst, doc.Source, from, end)
}

// copies says whether a value, and its name if it has one, stand in the source as they are
// written.
func (w *Writer) copies(v *strictjson.Value) bool {
	return w.asIs && v.Marks&(strictjson.Canonical|strictjson.KeyEscaped) == strictjson.Canonical
}

// peek returns the container's next child.
func (w *Writer) peek(f *frame) int32 {
	if f.sorted {
		return w.order[f.next].index
	}
	return f.next
}

// take passes over the container's next child and returns it.
func (w *Writer) take(doc *strictjson.Document, f *frame) (child int32) {
	child = w.peek(f)
	if f.sorted {
		f.next++
	} else {
		f.next = doc.Values[child].Next
	}
	return child
}

// copyShort appends src[from:end]. Most of what it copies is short: a step of a fixed size
// beyond the end, where there is room, costs less than finding out the size.
func copyShort(dst, src []byte, from, end int32) []byte {
	const step = 32
	if n := len(dst); end-from <= step && cap(dst)-n >= step && len(src)-int(from) >= step {
		text := [step]byte(src[from : from+step])
		*(*[step]byte)(dst[n : n+step]) = text
		return dst[:n+int(end-from)]
	}
	return append(dst, src[from:end]...)
}

// value writes a scalar, or the opening of a container whose rest follows.
func (w *Writer) value(dst []byte, doc *strictjson.Document, i int32) []byte {
	v := &doc.Values[i]
	if w.asIs && v.Has(strictjson.Canonical) {
		start, end := v.Span()
		return append(dst, doc.Source[start:end]...)
	}
	switch v.Kind {
	case strictjson.String:
		return w.texts.append(dst, doc.Source[v.Start:v.End], v.Has(strictjson.Escaped))
	case strictjson.Number:
		return w.profile.number(dst, doc.Source[v.Start:v.End], v.Has(strictjson.Integer))
	case strictjson.Array:
		w.open = append(w.open, frame{next: i + 1, end: v.Next})
		return append(dst, '[')
	case strictjson.Object:
		w.object(doc, i)
		return append(dst, '{')
	default:
		return append(dst, doc.Source[v.Start:v.End]...)
	}
}

// object opens an object. Where its members stand in order, that is theirs in the source.
func (w *Writer) object(doc *strictjson.Document, i int32) {
	v := &doc.Values[i]
	if v.Has(strictjson.Sorted) {
		w.open = append(w.open, frame{object: true, next: i + 1, end: v.Next})
		return
	}
	start := len(w.order)
	if shape := doc.Shape(v); shape != nil {
		w.arrange(doc, i, shape.Places())
	} else {
		for m := i + 1; m < v.Next; m = doc.Values[m].Next {
			w.order = append(w.order, w.sorter.member(doc, m))
		}
		w.sorter.sort(doc, w.order[start:])
	}
	w.open = append(w.open, frame{object: true, sorted: true, start: int32(start), next: int32(start), end: int32(len(w.order))})
}

// arrange adds the members of an object to those in order, by their places.
func (w *Writer) arrange(doc *strictjson.Document, object int32, places []uint8) {
	m := object + 1
	for i := range places {
		w.room[i], m = m, doc.Values[m].Next
	}
	for _, place := range places {
		w.order = append(w.order, member{index: w.room[place]})
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
