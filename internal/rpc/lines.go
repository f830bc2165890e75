package rpc

import (
	"bytes"
	"context"
	"io"
	"sync"
	"sync/atomic"

	"github.com/cupel-dev/cupel/internal/budget"
	"github.com/cupel-dev/cupel/internal/source"
)

const (
	// readChunk limits a read. It is the default capacity of a pipe.
	readChunk = 64 << 10

	// lineOverhead is what a waiting request costs besides its bytes, to limit many short lines.
	lineOverhead = 512
)

// line is a line without its newline, or a message. It must be released after its request is answered.
type line struct {
	text   []byte  // valid until released; only the start of a line that is too long
	size   int64   // bytes of the line
	id     []byte  // of a line that is too long, if found in it
	cost   int64   // drawn from the budget
	memory *[]byte // memory of text, for short lines
	buffer []byte  // memory of text, for long lines
	level  int     // size class of buffer
	fault  string  // framing error; then text is empty
}

func (l line) long() bool { return l.buffer != nil }

// lineReader splits a stream into lines. It reserves memory from the budget before it allocates. Of a line beyond
// max it keeps only the first bytes and the id.
type lineReader struct {
	r       io.Reader
	framing Framing
	lost    bool // framed: searching for the next header
	max     int64
	budget  *budget.Budget
	buffers *buffers
	short   sync.Pool // of *[]byte, for lines that are shorter than a buffer
	buf     []byte    // buf[start:end] is unread
	level   int       // size class of buf
	start   int
	end     int
	drawn   int64       // from the budget, for a large buffer
	begun   bool        // past the first line, which can start with a byte order mark
	err     error       // end of the stream
	reading atomic.Bool // waiting for the stream
}

func newLineReader(r io.Reader, framing Framing, max int64, b *budget.Budget) *lineReader {
	l := &lineReader{r: r, framing: framing, max: max, budget: b, buffers: newBuffers(max)}
	l.buf = l.buffers.get(0)
	l.short.New = func() any { return new([]byte) }
	return l
}

// giveBack releases a line for reuse. It is safe to call concurrently with next.
func (l *lineReader) giveBack(done line) {
	switch {
	case done.memory != nil:
		l.short.Put(done.memory)
	case done.long():
		l.buffers.put(done.level, done.buffer)
	}
	l.budget.GiveBack(done.cost)
}

// next returns the next nonblank line. The last line needs no newline. At the end it returns io.EOF or the reader's
// error.
func (l *lineReader) next() (line, error) {
	if l.framing == ContentLength {
		return l.nextFramed()
	}
	for {
		text, err := l.find()
		switch {
		case err != nil:
			return line{}, err
		case int64(len(text)) > l.max:
			return l.skip(text, l.skipLine), nil
		}
		if !l.begun {
			text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
			l.begun = true
		}
		if len(bytes.TrimSpace(text)) > 0 {
			return l.take(text), nil
		}
		l.shrink()
	}
}

// waiting reports whether next can return without reading.
func (l *lineReader) waiting() bool {
	if l.framing == ContentLength {
		return l.start < l.end // even a partial message: the rest follows
	}
	return bytes.IndexByte(l.buf[l.start:l.end], '\n') >= 0
}

// find consumes and returns the bytes up to the next newline or the end. Of a line beyond max it returns the start
// without consuming it.
func (l *lineReader) find() ([]byte, error) {
	for searched := 0; ; {
		unread := l.buf[l.start:l.end]
		if at := bytes.IndexByte(unread[searched:], '\n'); at >= 0 {
			text := unread[:searched+at]
			if int64(len(text)) <= l.max {
				l.start += len(text) + 1
			}
			return text, nil
		}
		searched = len(unread)
		switch {
		case int64(searched) > l.max:
			return unread, nil
		case l.err != nil && searched > 0:
			l.start = l.end
			return unread, nil
		case l.err != nil:
			return nil, l.err
		}
		l.fill()
	}
}

func (l *lineReader) fill() {
	if l.end == len(l.buf) {
		l.makeRoom()
	}
	l.reading.Store(true)
	n, err := l.r.Read(l.buf[l.end:min(l.end+readChunk, len(l.buf))])
	l.reading.Store(false)
	l.end += n
	l.err = err
}

// makeRoom moves the unread bytes to the front, or to a larger buffer if they fill more than half.
func (l *lineReader) makeRoom() {
	unread := l.buf[l.start:l.end]
	if 2*len(unread) <= len(l.buf) {
		l.start, l.end = 0, copy(l.buf, unread)
		return
	}
	size := l.buffers.sizes[l.level+1]
	l.draw(size - l.drawn)
	l.drawn = size
	l.move(l.level + 1)
}

// draw reserves memory for a line. Waiting for it cannot be canceled.
func (l *lineReader) draw(n int64) {
	_, _ = l.budget.Draw(context.Background(), n)
}

func (l *lineReader) move(level int) {
	old, oldLevel := l.replace(level)
	l.buffers.put(oldLevel, old)
}

// replace switches to a buffer that holds the unread bytes.
func (l *lineReader) replace(level int) (old []byte, oldLevel int) {
	old, oldLevel = l.buf, l.level
	l.buf, l.level = l.buffers.get(level), level
	l.start, l.end = 0, source.Copy(l.buf, old[l.start:l.end])
	return old, oldLevel
}

// take returns text as a line. A short line is copied, a long one keeps the buffer.
func (l *lineReader) take(text []byte) line {
	size := int64(len(text))
	if l.drawn > 0 {
		l.budget.GiveBack(l.drawn - size)
		l.drawn = 0
		// The bytes after the line came in the same chunk as its end, so they fit a chunk.
		buffer, level := l.replace(0)
		return line{text: text, size: size, cost: size, buffer: buffer, level: level}
	}
	l.draw(size + lineOverhead)
	memory := l.short.Get().(*[]byte)
	*memory = append((*memory)[:0], text...)
	return line{text: *memory, memory: memory, size: size, cost: size + lineOverhead}
}

// skip drops a line beyond max after its first bytes. drop passes on all skipped bytes.
func (l *lineReader) skip(text []byte, drop func(func([]byte))) line {
	skipped := line{text: bytes.Clone(text[:min(len(text), readChunk)])}
	var seek idSeeker
	drop(func(passed []byte) {
		seek.feed(passed)
		skipped.size += int64(len(passed))
	})
	skipped.id = seek.found()
	l.shrink()
	return skipped
}

func (l *lineReader) skipLine(passed func([]byte)) {
	for {
		unread := l.buf[l.start:l.end]
		if at := bytes.IndexByte(unread, '\n'); at >= 0 {
			passed(unread[:at])
			l.start += at + 1
			return
		}
		passed(unread)
		l.start = l.end
		if l.err != nil {
			return
		}
		l.fill()
	}
}

// shrink releases a large buffer after a dropped line.
func (l *lineReader) shrink() {
	if l.drawn > 0 {
		l.move(0)
		l.budget.GiveBack(l.drawn)
		l.drawn = 0
	}
}
