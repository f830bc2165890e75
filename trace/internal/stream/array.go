package stream

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Records is the input of a file in any of three layouts, told apart by its first
// bytes: JSON lines; one JSON array of records; one object that holds such an array
// as its member "events". The records of an array stream as lines do.
func Records(r io.Reader, limits Limits) Input { return &records{r: r, limits: limits} }

// records decides on the layout when the first block is asked for.
type records struct {
	r      io.Reader
	limits Limits
	input  Input
}

func (in *records) Next(buf []byte) (Block, error) {
	if in.input == nil {
		head, opening := readHead(in.r)
		rest := io.MultiReader(bytes.NewReader(head), in.r)
		if opening < 0 {
			in.input = Lines(rest, in.limits)
		} else {
			in.input = newElements(rest, opening, in.limits)
		}
	}
	return in.input.Next(buf)
}

// maxHead is how far the array of an object may be from its beginning. What stands
// before it is a few words about the log.
const maxHead = 64 << 10

// readHead reads until the layout is known. opening is the offset of the array's
// bracket, -1 for lines. A read error shows again at the next read.
func readHead(r io.Reader) (head []byte, opening int) {
	chunk := make([]byte, 4<<10)
	for {
		n, err := r.Read(chunk)
		head = append(head, chunk[:n]...)
		if opening, known := layout(head); known || err != nil || len(head) >= maxHead {
			if !known {
				opening = -1
			}
			return head, opening
		}
	}
}

// layout looks for the bracket that opens the array of records: the first byte, or the
// value of the member "events" of the object that the text begins with. known is
// false when the answer lies beyond the text.
func layout(head []byte) (opening int, known bool) {
	if len(head) < len(byteOrderMark) && bytes.HasPrefix(byteOrderMark, head) {
		return -1, false
	}
	begin := skipSpace(head, markEnd(head))
	if begin == len(head) {
		return -1, false
	}
	if head[begin] == '[' {
		return begin, true
	}
	if head[begin] != '{' {
		return -1, true
	}
	t := texture{}
	nameStart, name := 0, []byte(nil)
	for i := begin; i < len(head); i++ {
		before := t
		t.step(head[i])
		switch {
		case t.depth == 0:
			return -1, true
		case before.depth != 1:
		case !before.inString && t.inString:
			nameStart = i + 1
		case before.inString && !t.inString:
			name = head[nameStart:i]
		case !t.inString && head[i] == '[' && isEvents(name):
			return i, true
		case !t.inString && head[i] == ',':
			name = nil
		}
	}
	return -1, false
}

// byteOrderMark is what some editors put before a text. It makes the text no JSON, but
// hides no array: what the array holds is read, and the mark is one fault.
var byteOrderMark = []byte("\ufeff")

// markEnd is the length of the byte order mark that a text begins with, 0 for none.
func markEnd(text []byte) int { return len(text) - len(bytes.TrimPrefix(text, byteOrderMark)) }

// isEvents says whether a member's name, as it is spelled, is "events".
func isEvents(name []byte) bool {
	if bytes.IndexByte(name, '\\') < 0 {
		return string(name) == "events"
	}
	var decoded string
	err := json.Unmarshal(slices.Concat([]byte{'"'}, name, []byte{'"'}), &decoded)
	return err == nil && decoded == "events"
}

func skipSpace(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n') {
		i++
	}
	return i
}

// texture is as much of JSON's grammar as cutting an array needs: what is inside a
// string, and how deep.
type texture struct {
	depth    int
	inString bool
	escaped  bool
}

func (t *texture) step(c byte) {
	switch {
	case t.escaped:
		t.escaped = false
	case t.inString:
		t.escaped = c == '\\'
		t.inString = c != '"'
	case c == '"':
		t.inString = true
	case c == '{' || c == '[':
		t.depth++
	case c == '}' || c == ']':
		t.depth--
	}
}

// elements cuts the elements out of an array. What stands around the array is kept
// and checked at the end, so that the file as a whole is JSON too.
type elements struct {
	r       io.Reader
	limits  Limits
	opening int // bytes up to the array's bracket, which included
	around  []byte
	carry   []byte // the beginning of an element whose end has not been read
	dropped int64  // bytes of it that were dropped for its length
	at      place  // of carry
	t       texture
	count   int  // elements that have ended
	closed  bool // the array has ended
	done    bool
	err     error
}

// place is where a byte stands in the file.
type place struct {
	offset int64
	line   int
	column int // code points before it on its line
}

// pass moves the place behind a text.
func (p *place) pass(text []byte) {
	p.offset += int64(len(text))
	if end := bytes.LastIndexByte(text, '\n'); end >= 0 {
		p.line += bytes.Count(text, []byte{'\n'})
		p.column, text = 0, text[end+1:]
	}
	p.column += utf8.RuneCount(text)
}

func newElements(r io.Reader, opening int, limits Limits) Input {
	return &elements{r: r, limits: limits, opening: opening + 1, at: place{line: 1}}
}

// Next delivers the elements that end in the next block of the file.
func (in *elements) Next(buf []byte) (Block, error) {
	if in.done {
		return Block{}, in.err // a worker may still read the last line, which is the carry
	}
	if in.around == nil {
		in.open()
	}
	buf = append(buf[:0], in.carry...)
	var ends []int
	for len(ends) == 0 && in.err == nil && !in.closed {
		scanned := len(buf)
		buf = in.fill(buf)
		ends = in.scan(buf, scanned)
		if most := in.limits.LineBytes + 1; len(ends) == 0 && len(buf) > most {
			in.dropped += int64(len(buf) - most)
			buf = buf[:most]
		}
	}
	lines, rest := in.lines(buf, ends)
	if mark := in.mark(); mark.Size > 0 {
		lines = slices.Insert(lines, 0, mark)
	}
	in.carry = append(in.carry[:0], rest...)
	if !in.done && (in.closed || in.err != nil) {
		lines = append(lines, in.end()...)
	}
	if len(lines) == 0 {
		return Block{}, in.err
	}
	return Block{Data: buf, Lines: slices.Values(lines)}, nil
}

// open reads what stands before the array's content.
func (in *elements) open() {
	in.around = make([]byte, in.opening)
	_, in.err = io.ReadFull(in.r, in.around)
	in.at.pass(in.around)
}

// mark yields the byte order mark before the array as a line, once.
func (in *elements) mark() (l Line) {
	if n := markEnd(in.around); n > 0 {
		l = Line{Number: 1, Bytes: in.around[:n], Size: int64(n), Terminated: true}
		in.around = in.around[n:]
	}
	return l
}

// fill appends about one block, less when a read falls short.
func (in *elements) fill(buf []byte) []byte {
	if cap(buf)-len(buf) < source.DefaultBlock/2 {
		buf = slices.Grow(buf, source.DefaultBlock)
	}
	n, err := in.r.Read(buf[len(buf):cap(buf)])
	in.err = err
	return buf[:len(buf)+n]
}

// scan looks for the commas and the bracket that end elements.
func (in *elements) scan(buf []byte, from int) (ends []int) {
	for i := from; i < len(buf); i++ {
		c := buf[i]
		if in.t.depth == 0 && !in.t.inString && (c == ',' || c == ']') {
			ends = append(ends, i)
			if c == ']' {
				in.closed = true
				return ends
			}
			continue
		}
		in.t.step(c)
	}
	return ends
}

// lines makes a line of each element and returns the bytes behind the last end.
func (in *elements) lines(buf []byte, ends []int) (list []Line, rest []byte) {
	start := 0
	for _, end := range ends {
		element := buf[start:end]
		if l, ok := in.line(element, buf[end]); ok {
			list = append(list, l)
		}
		in.at.pass(buf[start : end+1])
		in.at.offset += in.dropped
		in.at.column += int(in.dropped) // as if it were one line of ASCII
		start, in.dropped = end+1, 0
		in.count++
	}
	return list, buf[start:]
}

// line makes the line of one element; ok is false for the nothing in an empty array.
func (in *elements) line(element []byte, terminator byte) (l Line, ok bool) {
	at := in.at
	begin := skipSpace(element, 0)
	if begin == len(element) {
		if in.count == 0 && terminator == ']' {
			return l, false
		}
		element = append(element, terminator) // "," or "]" where a record belongs
	} else {
		at.pass(element[:begin])
		element = bytes.TrimRight(element[begin:], " \t\r\n")
	}
	l = Line{Number: at.line, Column: at.column, Offset: at.offset, Bytes: element, Terminated: true, Size: int64(len(element)) + in.dropped}
	if len(element) > in.limits.LineBytes {
		l.Long, l.Bytes = true, element[:in.limits.LineBytes]
	}
	return l, true
}

// end yields what is wrong with the file as a whole: an array without its end, or
// text around it that makes no JSON. Nothing, when all is well.
func (in *elements) end() []Line {
	if in.err != nil && in.err != io.EOF {
		return nil
	}
	in.done = true
	tail := Line{Number: in.at.line, Column: in.at.column, Offset: in.at.offset, Bytes: in.carry}
	if !in.closed {
		return in.unclosed(tail)
	}
	rest, err := io.ReadAll(io.LimitReader(in.r, int64(in.limits.LineBytes)))
	in.err = cmp.Or(err, io.EOF)
	text := slices.Concat(in.around, []byte("]"), in.carry, rest)
	if _, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text); err == nil {
		return nil
	}
	tail.Bytes, tail.Terminated = text, true
	return []Line{tail}
}

// unclosed yields the last element, if there is one, and the array that has no end.
// An element that is itself cut says so alone.
func (in *elements) unclosed(tail Line) (list []Line) {
	if begin := skipSpace(in.carry, 0); begin < len(in.carry) {
		tail.Bytes = bytes.TrimRight(in.carry[begin:], " \t\r\n")
		in.at.pass(in.carry[:begin])
		tail.Number, tail.Column, tail.Offset = in.at.line, in.at.column, in.at.offset
		tail.Size = int64(len(tail.Bytes)) + in.dropped
		list = append(list, tail)
		if _, err := strictjson.NewScanner(strictjson.Limits{}).Scan(tail.Bytes); err != nil {
			return list
		}
	}
	tail.Bytes, tail.Size = []byte("["), 1
	return append(list, tail)
}
