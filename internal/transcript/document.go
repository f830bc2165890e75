package transcript

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Document streams a JSON object: it yields each member, and each element of list members, one at a time.
type Document struct {
	r    io.Reader
	buf  []byte
	at   int   // start of the unread part of buf
	base int64 // offset of buf[0]
	line int   // line of at
	most int   // bytes per element
	err  error // io.EOF or a read error

	begun, inList, ended bool
	list                 string // current member
	count                int    // elements of list so far

	// Faults lists the damage, after Next has returned an error.
	Faults []Fault
	// Whole means that the document was complete.
	Whole bool
	end   int64 // offset after a complete document
}

// Element is a non-list member, or one element of a list.
type Element struct {
	List  string // the member's name
	Index int    // index in the list; -1 for a non-list member or an empty list
	Place        // Text is valid until the next call of Next
	Long  bool   // longer than the limit: Text is empty
}

// NewDocument reads a document with elements of at most most bytes.
func NewDocument(r io.Reader, most int) *Document {
	return &Document{r: r, most: most, line: 1, buf: make([]byte, 0, 32<<10)}
}

// Next returns the next element. The error is io.EOF at the end, even a premature one, or a read error.
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

// step reads up to the next element. ok is false after punctuation.
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

// member reads a name and a non-list value.
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

// unquote decodes a member name; an invalid one stays as it is.
func unquote(name []byte) (text string) {
	if json.Unmarshal(name, &text) != nil {
		return string(name)
	}
	return text
}

// fill reads more input after buf and drops buf[:from].
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

// mark skips an initial byte order mark.
func (d *Document) mark() {
	for len(d.buf) < 3 && d.fill(0) {
	}
	if bytes.HasPrefix(d.buf, byteOrderMark) {
		d.Faults = append(d.Faults, bomFault())
		d.at += 3
	}
}

// skip skips a byte other than a line end.
func (d *Document) skip() { d.at++ }

// peek skips white space and NUL bytes and returns the next byte, 0 at the end.
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

// value reads the value at d.at. If it is too long, text is nil and whole is true.
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

// cut records that the document ends inside a value.
func (d *Document) cut(held, _ int) {
	d.ended = true
	d.Faults = append(d.Faults, Fault{
		Rule: "cut", Line: d.line, Offset: d.base + int64(held), Lost: true,
		Message: fmt.Sprintf("the document ends inside %s: %s before it are complete", d.where(), say.Counted(int64(d.count), "element")),
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

// stop records an unexpected byte.
func (d *Document) stop(c byte, expected string) {
	d.ended = true
	if c == 0 {
		d.cut(d.at, 0)
		return
	}
	d.Faults = append(d.Faults, Fault{
		Rule: "cut", Line: d.line, Offset: d.base + int64(d.at), Lost: true,
		Message: fmt.Sprintf("the document is not valid JSON in %s: %q, expected %s", d.where(), string(rune(c)), expected),
	})
}

// finish reads the rest after the document.
func (d *Document) finish() {
	d.ended, d.Whole, d.end = true, true, d.base+int64(d.at)
	if c := d.peek(); c != 0 {
		end := min(len(d.buf), d.at+60)
		d.Faults = append(d.Faults, Fault{
			Rule: "foreign", Line: d.line, Offset: d.base + int64(d.at),
			Message: fmt.Sprintf("data follows the document: %s", strconvQuote(d.buf[d.at:end])),
		})
	}
}
