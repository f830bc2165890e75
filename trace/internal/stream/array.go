package stream

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// elements splits a JSON array into elements, in bounded memory. At the end it checks the text around the array,
// because the whole file must be JSON. Reads can end anywhere, so element tracks the state byte by byte.
type elements struct {
	r       io.Reader
	limits  Limits
	block   int    // most bytes of a read
	aim     int    // of the next one: small files take small buffers
	opening int    // bytes up to the array's bracket, which included
	around  []byte // text before the elements without a byte order mark
	begin   place  // of around
	carry   []byte // kept part of an incomplete element
	element element
	t       texture
	count   int  // elements that have ended
	closed  bool // the array has ended
	err     error
}

func newElements(r io.Reader, opening int, limits Limits, block int) Input {
	block = cmp.Or(block, source.DefaultBlock)
	return &elements{r: r, limits: limits, block: block, aim: min(block, firstRead), opening: opening + 1}
}

// Next returns the elements that end in the next block of the file.
func (in *elements) Next(buf []byte) (Block, error) {
	var lines []Line
	if in.around == nil {
		lines = in.open()
	}
	if in.err != nil {
		return Block{}, in.err
	}
	buf = append(buf[:0], in.carry...)
	var ends []int
	for len(ends) == 0 && in.err == nil {
		scanned := len(buf)
		buf = in.fill(buf)
		if ends = in.scan(buf, scanned); len(ends) == 0 {
			buf = in.element.shrink(buf, in.limits.LineBytes)
		}
	}
	lines, rest := in.cut(lines, buf, ends)
	switch {
	case in.closed:
		lines = append(lines, in.rest(bytes.Clone(rest))...)
	case in.err == io.EOF:
		lines = append(lines, in.unclosed(bytes.Clone(rest))...)
	default:
		in.carry = append(in.carry[:0], rest...)
	}
	if len(lines) == 0 {
		return Block{}, in.err
	}
	return Block{Data: buf, Lines: slices.Values(lines)}, nil
}

// open reads the text before the array. A byte order mark is a separate line.
func (in *elements) open() (mark []Line) {
	in.around = make([]byte, in.opening)
	_, in.err = io.ReadFull(in.r, in.around)
	in.begin = place{line: 1}
	if n := markEnd(in.around); n > 0 {
		mark = []Line{in.begin.holding(in.around[:n])}
		in.begin.pass(in.around[:n])
		in.around = in.around[n:]
	}
	at := in.begin
	at.pass(in.around)
	in.element.follow(at)
	return mark
}

// firstRead is the size of the first read. Each full read doubles the size.
const firstRead = 16 << 10

func (in *elements) fill(buf []byte) []byte {
	if cap(buf)-len(buf) < max(1, in.aim/2) {
		buf = slices.Grow(buf, in.aim)
	}
	end := min(cap(buf), len(buf)+in.aim)
	n, err := in.r.Read(buf[len(buf):end])
	in.err = err
	if len(buf)+n == end {
		in.aim = min(2*in.aim, in.block)
	}
	return buf[:len(buf)+n]
}

// scan returns the offsets of commas and the bracket that end elements.
func (in *elements) scan(buf []byte, from int) (ends []int) {
	for i := from; i < len(buf); i++ {
		if in.t.inString && !in.t.escaped {
			if i += plain(buf[i:]); i == len(buf) {
				return ends
			}
		}
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

// cut converts complete elements to lines and returns the remaining bytes.
func (in *elements) cut(lines []Line, buf []byte, ends []int) (list []Line, rest []byte) {
	start := 0
	for _, end := range ends {
		terminator := buf[end : end+1]
		if l, there := in.element.line(buf[start:end], in.limits.LineBytes); there {
			lines = append(lines, l)
		} else if in.count > 0 || terminator[0] == ',' { // "," or "]" where a record belongs
			lines = append(lines, in.element.at.holding(terminator))
		}
		in.element.end(terminator)
		start = end + 1
		in.count++
	}
	return lines, buf[start:]
}

// rest reads the text after the array and returns its faults.
func (in *elements) rest(text []byte) []Line {
	in.block = min(in.block, 4<<10) // little is to come
	for in.err == nil {
		text = in.element.shrink(in.fill(text), in.limits.LineBytes)
	}
	if in.err != io.EOF {
		return nil
	}
	behind, there := in.element.line(text, in.limits.LineBytes)
	switch {
	case behind.Long:
		return []Line{behind}
	case !there:
		behind = in.element.after.holding(nil)
	}
	return in.whole(behind)
}

// whole checks the file without its records. Positions after the array are corrected for the omitted part.
func (in *elements) whole(behind Line) []Line {
	before := append(bytes.Clone(in.around), ']')
	fault := in.fault(slices.Concat(before, behind.Bytes))
	if fault == nil {
		return in.strays(before, behind)
	}
	l := in.begin.holding(nil)
	if fault.Offset >= len(before) {
		before = bytes.ReplaceAll(before, []byte{'\n'}, []byte{' '})
		l.Number, l.Column, l.Offset = behind.Number, behind.Column-utf8.RuneCount(before), behind.Offset-int64(len(before))
	}
	l.Bytes = append(before, behind.Bytes...)
	l.Size = int64(len(l.Bytes))
	l.Long = len(l.Bytes) > in.limits.LineBytes
	return []Line{l}
}

// strays returns a fault for each other list in the enclosing object, because its records are not read.
func (in *elements) strays(before []byte, behind Line) (lines []Line) {
	text := slices.Concat(before, behind.Bytes)
	doc, err := strictjson.NewScanner(strictjson.Limits{Depth: in.limits.Depth, Keys: in.limits.Keys}).Scan(text)
	if err != nil || !doc.Root().Is(strictjson.Object) {
		return nil
	}
	for member := range doc.Root().Children() {
		start, end := member.Span()
		if !member.Is(strictjson.Array) || !holdsObject(member) {
			continue
		}
		at, from := in.begin, 0
		if start >= len(before) {
			at, from = place{line: behind.Number, column: behind.Column, offset: behind.Offset}, len(before)
		}
		at.pass(text[from:start])
		l := at.holding(text[start:end])
		l.Stray = true
		lines = append(lines, l)
	}
	return lines
}

func holdsObject(list strictjson.Node) bool {
	for element := range list.Children() {
		if element.Is(strictjson.Object) {
			return true
		}
	}
	return false
}

// unclosed returns the last element, if any, and a fault for the unclosed array. If the element is truncated, only
// that is reported.
func (in *elements) unclosed(text []byte) (list []Line) {
	l, there := in.element.line(text, in.limits.LineBytes)
	if there {
		l.Terminated = false
		list = append(list, l)
		if in.t.open() || !l.Long && isTruncated(in.fault(l.Bytes)) {
			return list
		}
	}
	bracket := in.element.after.holding([]byte{'['})
	bracket.Terminated = false
	return append(list, bracket)
}

// fault returns why a text is not JSON within the limits, or nil.
func (in *elements) fault(text []byte) (fault *strictjson.Error) {
	_, err := strictjson.NewScanner(strictjson.Limits{Depth: in.limits.Depth, Keys: in.limits.Keys}).Scan(text)
	errors.As(err, &fault)
	return fault
}

func isTruncated(fault *strictjson.Error) bool {
	return fault != nil && fault.Code == strictjson.Truncated
}
