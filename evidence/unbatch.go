package evidence

import (
	"bufio"
	"bytes"
	"io"
)

// batchReader converts a JSON array of events (CloudEvents JSON format, section 4) to lines of one element each. To
// preserve offsets it only replaces bytes: brackets and line feeds by spaces, commas between elements by line
// feeds. Line numbers are element numbers. Malformed arrays result in lines that are not JSON, which the caller
// reports.
type batchReader struct {
	r       *bufio.Reader
	depth   int  // of brackets and braces, the batch's own included
	text    bool // inside a string
	escaped bool // after a backslash in it
	comma   bool // nothing but blanks came after the last comma between elements
	closed  bool // the batch's own bracket was closed
	end     []byte
	err     error
}

// unbatch returns a batchReader if the input starts like a batch: a bracket followed by an object or the end.
// Otherwise it returns r.
func unbatch(r io.Reader) io.Reader {
	buffered := bufio.NewReaderSize(r, batchHead)
	if !beginsBatch(buffered) {
		return buffered
	}
	return &batchReader{r: buffered}
}

// batchHead is how many bytes are examined to detect a batch.
const batchHead = 4 << 10

// beginsBatch reads only as much as it needs.
func beginsBatch(r *bufio.Reader) bool {
	opened := false
	for n := 1; n <= batchHead; n++ {
		head, err := r.Peek(n)
		if err != nil {
			return false
		}
		switch c := head[n-1]; {
		case bytes.IndexByte([]byte(space), c) >= 0:
		case !opened && c == '[':
			opened = true
		default:
			return opened && (c == '{' || c == ']')
		}
	}
	return false
}

func (b *batchReader) Read(p []byte) (int, error) {
	if len(b.end) > 0 {
		n := copy(p, b.end)
		b.end = b.end[n:]
		return n, nil
	}
	if b.err != nil || len(p) == 0 {
		return 0, b.err
	}
	n, err := b.r.Read(p)
	for i := range p[:n] {
		p[i] = b.line(p[i])
	}
	b.err = err
	if err == io.EOF && !b.closed {
		b.end = []byte("\n[") // a line that ends too early, as the array does
	}
	if n == 0 {
		return b.Read(p)
	}
	return n, nil
}

func (b *batchReader) line(c byte) byte {
	if b.closed {
		if c == '\n' || c == '\r' {
			return ' ' // what follows belongs to the last line, which is malformed then
		}
		return c
	}
	if b.text {
		b.text = c != '"' || b.escaped
		b.escaped = c == '\\' && !b.escaped
		if c == '\n' {
			return ' ' // no string has one: the element stays malformed
		}
		return c
	}
	last := b.comma
	if bytes.IndexByte([]byte(space), c) < 0 {
		b.comma = false
	}
	switch c {
	case '\n', '\r':
		return ' '
	case '"':
		b.text = true
	case '[', '{':
		if b.depth++; b.depth == 1 {
			return ' '
		}
	case ']', '}':
		if b.depth--; b.depth == 0 {
			b.closed = true
			if c == ']' && !last {
				return ' '
			}
		}
	case ',':
		if b.depth == 1 {
			b.comma = true
			return '\n'
		}
	}
	return c
}
