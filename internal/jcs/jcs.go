// Package jcs writes canonical JSON: RFC 8785 and profiles that callers define.
//
// A Writer copies from the source bytes of a scanned document and does not allocate if the buffer is reused:
//
//	doc, err := scanner.Scan(line)
//	buf = w.Append(buf[:0], doc.Root())
//
// To reproduce the hash of a document that is already canonical:
//
//	printf '{"a":1,"b":[true,"é"]}' | sha256sum
package jcs

import "github.com/cupel-dev/cupel/internal/strictjson"

// Writer writes canonical forms under one profile. It reuses its memory and is not safe for concurrent use.
type Writer struct {
	profile *Profile
	asIs    bool     // copy values that the scanner marked canonical
	order   []member // sorted members of all open objects
	open    []frame
	sorter  sorter
	texts   texts
	room    [strictjson.ShapeMembers]int32 // members being sorted
}

// frame is an open container and its unwritten children.
type frame struct {
	object    bool
	begun     bool  // a child has been written
	sorted    bool  // members are in Writer.order; else in source order
	start     int32 // first member in Writer.order
	next, end int32 // indexes of Writer.order or Document.Values
}

// NewWriter returns a writer for a profile; nil means RFC8785.
func NewWriter(p *Profile) *Writer {
	if p == nil {
		p = RFC8785
	}
	return &Writer{profile: p, asIs: p.asIs(), sorter: sorter{utf16: p.UTF16Order}, texts: texts{nfc: p.NFC}}
}

// Append appends the canonical form of n to dst. Every scanned value has one.
func (w *Writer) Append(dst []byte, n strictjson.Node) []byte {
	w.order, w.open = w.order[:0], w.open[:0]
	doc := n.Document()
	return w.rest(w.value(dst, doc, int32(n.Index())), doc)
}

// AsIs reports whether the source of n is known to be canonical. It relies on the marks of the scan
// and can return false for a canonical value.
func (w *Writer) AsIs(n strictjson.Node) bool { return w.asIs && n.Canonical() }

// AppendObject appends the canonical form of an object with exactly the given members, from any objects of one
// document, in any order. Their names must be unique.
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

// rest writes the remainder of the open containers. w.open replaces recursion, which bounds the stack.
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

// children writes a container's remaining children, up to a nested container.
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
		if v.Kind >= strictjson.Array { // f was moved and is not innermost
			return dst
		}
	}
	return dst
}

// copyRun copies a child and the following ones while their source is canonical.
func (w *Writer) copyRun(dst []byte, doc *strictjson.Document, f *frame, v *strictjson.Value) []byte {
	from, end := v.Span()
	if f.object {
		if from != v.KeyEnd+2 { // white space around the colon
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
		if i != v.Next || start != end+1 || !w.copies(next) { // end+1: a comma and nothing else
			break
		}
		v, end = next, stop
		w.take(doc, f)
	}
	return copyShort(dst, doc.Source, from, end)
}

// copies reports whether the source of a value and its name is canonical.
func (w *Writer) copies(v *strictjson.Value) bool {
	return w.asIs && v.Marks&(strictjson.Canonical|strictjson.KeyEscaped) == strictjson.Canonical
}

func (w *Writer) peek(f *frame) int32 {
	if f.sorted {
		return w.order[f.next].index
	}
	return f.next
}

// take removes and returns the container's next child.
func (w *Writer) take(doc *strictjson.Document, f *frame) (child int32) {
	child = w.peek(f)
	if f.sorted {
		f.next++
	} else {
		f.next = doc.Values[child].Next
	}
	return child
}

// copyShort appends src[from:end]. Most copies are short: a fixed-size step is cheaper than computing the size.
func copyShort(dst, src []byte, from, end int32) []byte {
	const step = 32
	if n := len(dst); end-from <= step && cap(dst)-n >= step && len(src)-int(from) >= step {
		text := [step]byte(src[from : from+step])
		*(*[step]byte)(dst[n : n+step]) = text
		return dst[:n+int(end-from)]
	}
	return append(dst, src[from:end]...)
}

// value writes a scalar or opens a container.
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

// object opens an object. Members already in order are not copied.
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

// arrange adds an object's members in the given order.
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
