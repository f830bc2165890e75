package transcript

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Document reads one JSON object as a stream: it yields each member, and of a member that is
// a list each element. It holds one element at a time.
type Document struct {
	r    io.Reader
	buf  []byte
	at   int   // of what was not taken yet, in buf
	base int64 // offset of buf[0]
	line int   // of at
	most int   // bytes of one element
	err  error // what ended the input: io.EOF or a read error

	begun, inList, ended bool
	list                 string // the member that is being read
	count                int    // elements of it so far

	// Faults are what is wrong with the bytes, once Next has returned an error.
	Faults []Fault
	// Whole says that the document came to its end.
	Whole bool
	end   int64 // the offset behind a whole document
}

// Element is a member of a document that is not a list, or one element of a list.
type Element struct {
	List  string // the member's name
	Index int    // of the element in its list; -1 for a member that is not a list, or an empty list
	Place        // Text is valid until the next call of Next
	Long  bool   // longer than the limit: Text is empty
}

// NewDocument reads a document from r whose elements have at most so many bytes each.
func NewDocument(r io.Reader, most int) *Document {
	return &Document{r: r, most: most, line: 1, buf: make([]byte, 0, 32<<10)}
}

// Next returns the next element. The error is io.EOF at the end of the document, however it
// ends, or that of reading.
func (d *Document) Next() (Element, error) {
	for !d.ended {
		e, ok := d.step()
		if d.err != nil && d.err != io.EOF {
			return Element{}, d.err
		}
		if ok {
			return e, nil
		}
	}
	return Element{}, io.EOF
}

// step reads up to the next element. ok is false where it only read punctuation.
func (d *Document) step() (e Element, ok bool) {
	if !d.begun {
		d.begun = true
		d.mark()
		if c := d.peek(); c != '{' {
			d.stop(c, "an object")
			return e, false
		}
		d.skip()
		return e, false
	}
	c := d.peek()
	switch {
	case d.inList && c == ']':
		d.inList = false
		d.skip()
		if d.count == 0 {
			return Element{List: d.list, Index: -1, Place: Place{Line: d.line, Offset: d.base + int64(d.at), Text: []byte("[]")}}, true
		}
		return e, false
	case c == ',':
		d.skip()
		return e, false
	case d.inList && c != 0:
		return d.element(d.count)
	case c == '}':
		d.skip()
		d.finish()
		return e, false
	case c == '"':
		return d.member()
	}
	d.stop(c, "a member")
	return e, false
}

// member reads a name and, unless it is a list, its value.
func (d *Document) member() (e Element, ok bool) {
	name, whole := d.value()
	if !whole {
		return e, false
	}
	d.list = unquote(name)
	if c := d.peek(); c != ':' {
		d.stop(c, "a colon")
		return e, false
	}
	d.skip()
	if d.peek() == '[' {
		d.skip()
		d.inList, d.count = true, 0
		return e, false
	}
	return d.element(-1)
}

func (d *Document) element(index int) (e Element, ok bool) {
	d.peek()
	e = Element{List: d.list, Index: index, Place: Place{Line: d.line, Offset: d.base + int64(d.at)}}
	text, whole := d.value()
	if !whole {
		return e, false
	}
	d.count++
	e.Text = text
	e.Long = text == nil
	return e, true
}

// unquote decodes a member name; one with a wrong escape stays as it is.
func unquote(name []byte) (text string) {
	if json.Unmarshal(name, &text) != nil {
		return string(name)
	}
	return text
}

// fill reads more input behind buf. It gives up what lies before from, which becomes 0.
func (d *Document) fill(from int) bool {
	if d.err != nil {
		return false
	}
	if from > 0 {
		d.base += int64(from)
		d.buf = d.buf[:copy(d.buf, d.buf[from:])]
		d.at -= from
	}
	if len(d.buf) == cap(d.buf) {
		d.buf = append(make([]byte, 0, 2*cap(d.buf)), d.buf...)
	}
	for range 100 {
		n, err := d.r.Read(d.buf[len(d.buf):cap(d.buf)])
		d.buf = d.buf[:len(d.buf)+n]
		if d.err = err; n > 0 || err != nil {
			return n > 0
		}
	}
	d.err = io.ErrNoProgress
	return false
}

// mark skips a byte order mark at the beginning.
func (d *Document) mark() {
	for len(d.buf) < 3 && d.fill(0) {
	}
	if bytes.HasPrefix(d.buf, byteOrderMark) {
		d.Faults = append(d.Faults, bomFault())
		d.at += 3
	}
}

// skip passes over a byte that is no line end.
func (d *Document) skip() { d.at++ }

// peek skips white space and NUL bytes and returns the next byte; 0 at the end.
func (d *Document) peek() byte {
	zeros := 0
	defer func() {
		if zeros > 0 {
			f := nulFault(zeros, d.line, d.base+int64(d.at-zeros))
			f.Mild = true
			d.Faults = append(d.Faults, f)
		}
	}()
	for {
		for d.at < len(d.buf) {
			switch c := d.buf[d.at]; c {
			case '\n':
				d.line++
			case ' ', '\t', '\r':
			case 0:
				zeros++
			default:
				return c
			}
			d.at++
		}
		if !d.fill(d.at) {
			return 0
		}
	}
}

// value takes the value that begins at d.at. It is nil, and whole, when it is too long.
func (d *Document) value() (text []byte, whole bool) {
	start, depth, inString, dropped := d.at, 0, false, false
	line := d.line
	for i := d.at; ; i++ {
		if inString {
			i = strictjson.SkipPlain(d.buf, i)
		}
		for i >= len(d.buf) {
			if i-start > d.most {
				dropped = true
				line += bytes.Count(d.buf[start:], []byte{'\n'})
				start = len(d.buf)
			}
			shift := start
			d.at = start
			if !d.fill(shift) {
				if depth == 0 && !inString && len(d.buf) > 0 { // a number at the very end
					break
				}
				d.line = line + bytes.Count(d.buf[:len(d.buf)], []byte{'\n'})
				d.cut(len(d.buf), i-shift)
				return nil, false
			}
			start -= shift
			i -= shift
		}
		if i >= len(d.buf) {
			d.at = i
			return d.take(start, i, line, dropped)
		}
		c := d.buf[i]
		if inString {
			switch c {
			case '\\':
				i++
				for i >= len(d.buf) {
					shift := start
					d.at = start
					if !d.fill(shift) {
						d.line = line + bytes.Count(d.buf, []byte{'\n'})
						d.cut(len(d.buf), i-shift)
						return nil, false
					}
					start -= shift
					i -= shift
				}
			case '"':
				inString = false
				if depth == 0 {
					return d.take(start, i+1, line, dropped)
				}
			}
			continue
		}
		switch c {
		case '"':
			inString = true
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return d.take(start, i, line, dropped)
			}
			if depth--; depth == 0 {
				return d.take(start, i+1, line, dropped)
			}
		case ',', ':', '\n', ' ', '\t', '\r', 0:
			if depth == 0 {
				return d.take(start, i, line, dropped)
			}
		}
	}
}

func (d *Document) take(start, end, line int, dropped bool) ([]byte, bool) {
	text := d.buf[start:end]
	d.line = line + bytes.Count(text, []byte{'\n'})
	d.at = end
	if dropped || len(text) > d.most {
		return nil, true
	}
	if len(text) == 0 {
		d.stop(d.buf[end], "a value")
		return nil, false
	}
	return text, true
}

// cut notes that the document ends inside a value.
func (d *Document) cut(held, _ int) {
	d.ended = true
	d.Faults = append(d.Faults, Fault{
		Rule: "cut", Line: d.line, Offset: d.base + int64(held), Lost: true,
		Message: fmt.Sprintf("the document ends inside %s: %s are whole before it", d.where(), say.Counted(int64(d.count), "element")),
		Help:    repairHint,
	})
}

func (d *Document) where() string {
	if d.list == "" {
		return "its first member"
	}
	if d.inList {
		return fmt.Sprintf("element %d of %q", d.count+1, d.list)
	}
	return fmt.Sprintf("the member %q", d.list)
}

// stop notes what is there instead of what was expected.
func (d *Document) stop(c byte, expected string) {
	d.ended = true
	if c == 0 {
		d.cut(d.at, 0)
		return
	}
	d.Faults = append(d.Faults, Fault{
		Rule: "cut", Line: d.line, Offset: d.base + int64(d.at), Lost: true,
		Message: fmt.Sprintf("the document stops being JSON in %s: %q, expected %s", d.where(), string(rune(c)), expected),
	})
}

// finish reads what follows the document.
func (d *Document) finish() {
	d.ended, d.Whole, d.end = true, true, d.base+int64(d.at)
	if c := d.peek(); c != 0 {
		end := min(len(d.buf), d.at+60)
		d.Faults = append(d.Faults, Fault{
			Rule: "foreign", Line: d.line, Offset: d.base + int64(d.at),
			Message: fmt.Sprintf("something follows the document: %s", strconvQuote(d.buf[d.at:end])),
		})
	}
}
