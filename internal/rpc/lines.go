package rpc

import (
	"bytes"
	"context"
	"io"
	"sync"
	"sync/atomic"

	"github.com/cupel-dev/cupel/internal/budget"
)

const (
	// readChunk is how much is read at once at most: what a pipe holds when nobody has
	// widened it.
	readChunk = 64 << 10

	// lineOverhead is what a waiting request costs besides its bytes, so that short
	// lines cannot fill the memory either.
	lineOverhead = 512
)

// line is one line without its newline, or one message of another framing. It has to be given back when its request is
// answered.
type line struct {
	text   []byte  // until it is given back; only the beginning of a line that is too long
	size   int64   // bytes of the line
	id     []byte  // of a line that is too long, where it was found in all of the line
	cost   int64   // drawn from the budget
	memory *[]byte // that text is in, when the line is short
	buffer []byte  // that text is in, when the line is long
	level  int     // of the buffer
	fault  string  // what is wrong with the framing: then there is no text
}

// long says whether the line did not fit a chunk.
func (l line) long() bool { return l.buffer != nil }

// lineReader cuts a stream into lines. The memory for a line is drawn from the
// budget before it is allocated; a line beyond max is skipped to its end, and only
// its first bytes are kept, beside the id that it has anywhere.
type lineReader struct {
	r       io.Reader
	framing Framing
	lost    bool // framed: what was read last is no header, and the next one is looked for
	max     int64
	budget  *budget.Budget
	buffers *buffers
	short   sync.Pool // of *[]byte, for lines that are shorter than a buffer
	buf     []byte    // buf[start:end] is read and not yet returned
	level   int       // which of the sizes buf has
	start   int
	end     int
	drawn   int64       // from the budget, for a buffer larger than readChunk
	begun   bool        // the first line, which may start with a byte order mark, is over
	err     error       // what ended the stream
	reading atomic.Bool // the reader waits for the stream: every whole line has been taken
}

func newLineReader(r io.Reader, framing Framing, max int64, b *budget.Budget) *lineReader {
	l := &lineReader{r: r, framing: framing, max: max, budget: b, buffers: newBuffers(max)}
	l.buf = l.buffers.get(0)
	l.short.New = func() any { return new([]byte) }
	return l
}

// giveBack ends a line: its memory is used for further lines. It may be called while
// the reader is in use.
func (l *lineReader) giveBack(done line) {
	switch {
	case done.memory != nil:
		l.short.Put(done.memory)
	case done.long():
		l.buffers.put(done.level, done.buffer)
	}
	l.budget.GiveBack(done.cost)
}

// next returns the next line that is not blank. What stands after the last newline
// is a line too. Then next returns io.EOF or the reader's error.
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

// waiting says whether a whole line is in the buffer, so that next will not read.
func (l *lineReader) waiting() bool {
	if l.framing == ContentLength {
		return l.start < l.end // a part of one, too: its rest is under way
	}
	return bytes.IndexByte(l.buf[l.start:l.end], '\n') >= 0
}

// find returns the bytes before the next newline, or the stream's last bytes, and
// moves past them; or more than max bytes, and stays before them.
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

// fill reads once, at most a chunk, after the unread bytes.
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

// makeRoom moves the unread bytes to the front, of the next larger buffer when they fill
// more than half of this one.
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

// draw takes memory for a line, which fits the budget; nothing ends the waiting for it.
func (l *lineReader) draw(n int64) {
	_, _ = l.budget.Draw(context.Background(), n)
}

// move goes on in another buffer, into which the unread bytes fit, and gives up this one.
func (l *lineReader) move(level int) {
	old, oldLevel := l.replace(level)
	l.buffers.put(oldLevel, old)
}

// replace goes on in another buffer, into which the unread bytes fit.
func (l *lineReader) replace(level int) (old []byte, oldLevel int) {
	old, oldLevel = l.buf, l.level
	l.buf, l.level = l.buffers.get(level), level
	l.start, l.end = 0, copy(l.buf, old[l.start:l.end])
	return old, oldLevel
}

// take makes the text a line of its own: a copy of a short one, the buffer itself
// for a long one.
func (l *lineReader) take(text []byte) line {
	size := int64(len(text))
	if l.drawn > 0 {
		l.budget.GiveBack(l.drawn - size)
		l.drawn = 0
		// What was read after the line fits a chunk: it came with the one that ended it.
		buffer, level := l.replace(0)
		return line{text: text, size: size, cost: size, buffer: buffer, level: level}
	}
	l.draw(size + lineOverhead)
	memory := l.short.Get().(*[]byte)
	*memory = append((*memory)[:0], text...)
	return line{text: *memory, memory: memory, size: size, cost: size + lineOverhead}
}

// skip drops a line that is longer than max, of which the first bytes are given. drop hands
// all of its bytes on while it passes them.
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

// skipLine passes the bytes up to the next newline, and that.
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

// shrink gives up a buffer that grew for a line that nobody gets.
func (l *lineReader) shrink() {
	if l.drawn > 0 {
		l.move(0)
		l.budget.GiveBack(l.drawn)
		l.drawn = 0
	}
}
