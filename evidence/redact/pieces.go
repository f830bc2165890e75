package redact

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// eventsName is the member for events in reports and files of secrets.
const eventsName = "events"

// Limits of a document. An event has at most a mebibyte. Its report can be thirty times as large, if it consists of
// short changed strings.
const (
	maxRest    = 1 << 20  // bytes outside of the list, and between elements
	maxElement = 32 << 20 // bytes of an element
	maxValues  = 1 << 20  // values of an element
)

// pieces splits a JSON object with a long list "events" into elements and the rest. It only finds boundaries;
// callers parse the pieces as strict JSON.
type pieces struct {
	r       *bufio.Reader
	rest    []byte // the object with an empty list
	element []byte
	where   where
	key     bool // a name comes next, when the object's own members are read
	name    bool // the name that came last is the list's
	depth   int

	mostRest, mostElement int // bytes
}

type where uint8

const (
	beforeList   where = iota
	inList             // before the first element, or the end of an empty list
	afterElement       // after an element's comma
	afterList
)

func newPieces(r io.Reader) *pieces {
	return &pieces{r: bufio.NewReaderSize(r, 64<<10), mostRest: maxRest, mostElement: maxElement}
}

// malformed is an error in a document, as opposed to a read error.
type malformed string

func (m malformed) Error() string { return string(m) }

var (
	errRest    = malformed(fmt.Sprintf("the report has more than %d bytes outside the list of events", maxRest))
	errElement = malformed(fmt.Sprintf("the report has an event of more than %d bytes", maxElement))
	errEnd     = malformed("it ends too early")
)

// next returns the next element of the list, valid until the next call. ok is false after the last one; then rest
// is complete.
func (p *pieces) next() (element []byte, ok bool, err error) {
	if p.where == beforeList {
		if err := p.open(); err != nil {
			return nil, false, err
		}
	}
	if p.where == afterList {
		return nil, false, nil
	}
	return p.one(p.where == inList)
}

// open reads up to the list, or to the end of a document without one.
func (p *pieces) open() error {
	for {
		b, err := p.r.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			p.where = afterList
			return nil
		case err != nil:
			return err
		}
		if err := p.keep(b); err != nil {
			return err
		}
		switch b {
		case '"':
			if err := p.text(); err != nil {
				return err
			}
		case '[':
			if p.depth++; p.depth == 2 && p.name {
				p.where = inList
				return nil
			}
		case '{':
			p.depth++
			p.key = p.depth == 1
		case '}', ']':
			p.depth--
		case ',':
			p.key = p.depth == 1
		}
	}
}

// text reads the rest of a string and checks whether it is the list's name.
func (p *pieces) text() error {
	start := len(p.rest)
	if err := p.quoted(&p.rest, p.mostRest, errRest); err != nil {
		return err
	}
	if p.depth == 1 {
		p.name = p.key && string(p.rest[start:]) == eventsName+`"`
		p.key = false
	}
	return nil
}

func (p *pieces) quoted(into *[]byte, most int, over error) error {
	for escaped := false; ; {
		b, err := p.r.ReadByte()
		if err != nil {
			return unended(err)
		}
		if *into = append(*into, b); len(*into) > most {
			return over
		}
		if b == '"' && !escaped {
			return nil
		}
		escaped = b == '\\' && !escaped
	}
}

// unended returns the error for a document that ends inside a value.
func unended(err error) error {
	if errors.Is(err, io.EOF) {
		return errEnd
	}
	return err
}

func (p *pieces) keep(b byte) error {
	if p.rest = append(p.rest, b); len(p.rest) > p.mostRest {
		return errRest
	}
	return nil
}

// one reads an element up to its comma or the end of the list. first means that the list can be empty.
func (p *pieces) one(first bool) (element []byte, ok bool, err error) {
	p.element = p.element[:0]
	for depth := 0; ; {
		b, err := p.r.ReadByte()
		if err != nil {
			return nil, false, unended(err)
		}
		switch {
		case depth == 0 && b == ']':
			err = p.end()
			return p.element, !first || !blank(p.element), err
		case depth == 0 && b == ',':
			p.where = afterElement
			return p.element, true, nil
		case b == '{', b == '[':
			depth++
		case b == '}', b == ']':
			depth--
		}
		if p.element = append(p.element, b); len(p.element) > p.mostElement {
			return nil, false, errElement
		}
		if b == '"' {
			if err := p.quoted(&p.element, p.mostElement, errElement); err != nil {
				return nil, false, err
			}
		}
	}
}

// end reads from the end of the list to the end of the document.
func (p *pieces) end() error {
	p.where = afterList
	if err := p.keep(']'); err != nil {
		return err
	}
	for {
		b, err := p.r.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := p.keep(b); err != nil {
			return err
		}
	}
}

func blank(text []byte) bool {
	for _, b := range text {
		if b != ' ' && b != '\t' && b != '\n' && b != '\r' {
			return false
		}
	}
	return true
}
