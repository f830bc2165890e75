package stream

import "bytes"

// element is what was read of one element of an array. Its text is kept up to the length
// that a line may have. What lies beyond, and white space around the text, is passed and
// forgotten.
type element struct {
	after place // behind the element before and its comma
	begun bool  // there was more than white space
	from  place // of its first byte
	at    place // up to which it was passed
	solid int64 // offset behind the last byte passed that is no white space
	kept  int   // bytes that are kept of what was passed
}

// follow turns to the element that stands behind a place.
func (e *element) follow(p place) { *e = element{after: p, from: p, at: p, solid: p.offset} }

// end turns to the next element, behind a comma or a bracket.
func (e *element) end(terminator []byte) {
	e.at.pass(terminator)
	e.follow(e.at)
}

// shrink forgets what no line will need of the text so far, and returns the rest. The
// text must be what the last call returned and what was read since.
func (e *element) shrink(text []byte, most int) []byte {
	if len(text) <= most {
		return text
	}
	text = text[:copy(text, e.begin(text))]
	whole := wholeRunes(text)
	if whole <= most {
		return text
	}
	e.pass(text[e.kept:whole])
	e.kept = most
	return text[:most+copy(text[most:], text[whole:])]
}

// line makes the line of the element, whose text is what shrink returned and what was
// read since. there is false for white space only, which is passed too.
func (e *element) line(text []byte, most int) (l Line, there bool) {
	text = e.begin(text)
	if !e.begun {
		return l, false
	}
	e.pass(text[e.kept:])
	size := e.solid - e.from.offset
	l = e.from.holding(text[:min(size, int64(most))])
	l.Size, l.Long = size, size > int64(most)
	return l, true
}

// begin passes the white space that the text begins with, and returns the rest.
func (e *element) begin(text []byte) []byte {
	if e.begun {
		return text
	}
	n := skipSpace(text, 0)
	e.at.pass(text[:n])
	e.from, e.solid, e.begun = e.at, e.at.offset, n < len(text)
	return text[n:]
}

// pass passes a part of the text behind what was passed.
func (e *element) pass(text []byte) {
	e.at.pass(text)
	if solid := bytes.TrimRight(text, space); len(solid) > 0 {
		e.solid = e.at.offset - int64(len(text)-len(solid))
	}
}
