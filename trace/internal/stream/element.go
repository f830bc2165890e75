package stream

import "bytes"

// element is the state of an array element. Its text is kept up to the line limit. White space around it is
// dropped.
type element struct {
	after place // after the previous element's comma
	begun bool  // there was more than white space
	from  place // of its first byte
	at    place // up to which it was passed
	solid int64 // offset after the last non-white-space byte
	kept  int   // number of kept bytes
}

func (e *element) follow(p place) { *e = element{after: p, from: p, at: p, solid: p.offset} }

// end starts the next element after a comma or bracket.
func (e *element) end(terminator []byte) {
	e.at.pass(terminator)
	e.follow(e.at)
}

// shrink drops unneeded text and returns the rest. text must be the last result plus the bytes read since.
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

// line returns the element as a line. text is the result of shrink plus the bytes read since. there is false if it
// is only white space.
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

// begin skips leading white space and returns the rest.
func (e *element) begin(text []byte) []byte {
	if e.begun {
		return text
	}
	n := skipSpace(text, 0)
	e.at.pass(text[:n])
	e.from, e.solid, e.begun = e.at, e.at.offset, n < len(text)
	return text[n:]
}

func (e *element) pass(text []byte) {
	e.at.pass(text)
	if solid := bytes.TrimRight(text, space); len(solid) > 0 {
		e.solid = e.at.offset - int64(len(text)-len(solid))
	}
}
