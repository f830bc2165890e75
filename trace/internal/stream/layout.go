package stream

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
)

// Records returns the records of a file in any of three layouts, detected from its start: JSON lines, a JSON array
// of records, or an object with such an array in "events". Arrays are streamed. Blocks have about block bytes, 0
// for the default.
func Records(r io.Reader, limits Limits, block int) *AnyLayout {
	return &AnyLayout{r: r, limits: limits, block: block}
}

// AnyLayout is an input whose layout is detected on the first read.
type AnyLayout struct {
	r      io.Reader
	limits Limits
	block  int
	input  Input
}

// IsArray reports whether the records are elements of an array. Call it after reading all records.
func (in *AnyLayout) IsArray() bool {
	_, lines := in.input.(physical)
	return !lines
}

func (in *AnyLayout) Next(buf []byte) (Block, error) {
	if in.input == nil {
		head, opening, err := readHead(in.r)
		rest := io.MultiReader(bytes.NewReader(head), in.r)
		if err != nil {
			rest = io.MultiReader(bytes.NewReader(head), ended{err})
		}
		if opening < 0 {
			in.input = Lines(rest, in.limits, in.block)
		} else {
			in.input = newElements(rest, opening, in.limits, in.block)
		}
	}
	return in.input.Next(buf)
}

// ended is a reader at its end, or after an error.
type ended struct{ err error }

func (e ended) Read([]byte) (int, error) { return 0, e.err }

// maxHead limits the text before an array in an object.
const maxHead = 64 << 10

// readHead reads until the layout is known, independently of read sizes. opening is the offset of the array's
// bracket, or -1 for lines. If the head ends within a list on the first line, that list is the array. It returns a
// read error.
func readHead(r io.Reader) (head []byte, opening int, err error) {
	var layout layout
	for {
		head = slices.Grow(head, 4<<10)
		n, err := r.Read(head[len(head) : len(head)+4<<10])
		head = head[:len(head)+n]
		opening, known := layout.find(head[:min(len(head), maxHead)])
		switch {
		case known:
			return head, opening, err
		case (err != nil || len(head) >= maxHead) && layout.inList:
			return head, layout.list, err
		case err != nil || len(head) >= maxHead:
			return head, -1, err
		}
	}
}

// layout finds the bracket that opens the list of records: the first byte of the text, or the value of "events" in
// the first object. A list on the first line is an ordinary line if it does not start with an object and the next
// line does.
type layout struct {
	at       int // the next byte to look at
	begun    bool
	inList   bool // the text begins with a list
	list     int  // its bracket
	t        texture
	from, to int // last string directly in the object; to is 0 unless it names the next value
}

// find continues in a text that is at least as long as before. known is false if more text is needed.
func (l *layout) find(head []byte) (opening int, known bool) {
	if !l.begun {
		if known := l.begin(head); known || !l.begun {
			return -1, known
		}
	}
	if l.inList {
		return l.afterList(head)
	}
	for ; l.at < len(head); l.at++ {
		before := l.t
		l.t.step(head[l.at])
		switch {
		case l.t.depth == 0:
			return -1, true
		case before.depth != 1:
		case !before.inString && l.t.inString:
			l.from = l.at + 1
		case before.inString && !l.t.inString:
			l.to = l.at
		case !l.t.inString && head[l.at] == '[' && l.to > 0 && isEvents(head[l.from:l.to]):
			return l.at, true
		case !l.t.inString && head[l.at] == ',':
			l.to = 0
		}
	}
	return -1, false
}

// begin finds the first byte of the text's value. known is true for lines that do not start like a record.
func (l *layout) begin(head []byte) (known bool) {
	if len(head) < len(byteOrderMark) && bytes.HasPrefix(byteOrderMark, head) {
		return false
	}
	l.at = skipSpace(head, max(l.at, markEnd(head)))
	if l.at == len(head) {
		return false
	}
	l.inList, l.list = head[l.at] == '[', l.at
	l.begun = l.inList || head[l.at] == '{'
	return !l.begun
}

// afterList examines the text after a list at the start.
func (l *layout) afterList(head []byte) (opening int, known bool) {
	if first := skipSpace(head, l.list+1); l.at == l.list && first == len(head) {
		return -1, false
	} else if head[first] == '{' {
		return l.list, true
	}
	for ; l.at < len(head) && (l.at == l.list || l.t.open()); l.at++ {
		if head[l.at] == '\n' {
			return l.list, true
		}
		l.t.step(head[l.at])
	}
	next := skipSpace(head, l.at)
	switch {
	case l.t.open() || next == len(head):
		return -1, false
	case head[next] == '{' && bytes.IndexByte(head[l.at:next], '\n') >= 0:
		return -1, true
	}
	return l.list, true
}

// byteOrderMark is written by some editors. It is reported once, and the array is still read.
var byteOrderMark = []byte("\ufeff")

func markEnd(text []byte) int { return len(text) - len(bytes.TrimPrefix(text, byteOrderMark)) }

func isEvents(name []byte) bool {
	if bytes.IndexByte(name, '\\') < 0 {
		return string(name) == "events"
	}
	var decoded string
	err := json.Unmarshal(slices.Concat([]byte{'"'}, name, []byte{'"'}), &decoded)
	return err == nil && decoded == "events"
}

const space = " \t\r\n"

func skipSpace(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n') {
		i++
	}
	return i
}

// texture is the minimal JSON state needed to split an array: whether inside a string, and the depth.
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

// plain returns the length of the text before the next quote or backslash. Inside a string, it does not change the
// state.
func plain(text []byte) int {
	for i, c := range text {
		if c == '"' || c == '\\' {
			return i
		}
	}
	return len(text)
}

// open reports whether a value has started and not ended.
func (t texture) open() bool { return t.inString || t.depth > 0 }
