// Package source cuts untrusted input into physical lines and points at places in
// them. It reads a stream once, holds one block of it, and never more of a line
// than its limit allows.
package source

import (
	"bytes"
	"io"
)

// DefaultBlock is how many bytes a block aims for: large enough that handing it to
// another core costs nothing beside the work in it, small enough that a few of
// them stay far below the memory that cupel allows itself.
const DefaultBlock = 1 << 20

// firstBlock is what the first block aims for, and each that was filled makes the next
// one aim for twice its size: most logs are short, and there are many of them.
const firstBlock = 16 << 10

// DefaultMaxLine is the longest line that is read, 16 MiB without its line end. A
// longer one is reported and skipped without being held.
const DefaultMaxLine = 16 << 20

// Block is a run of whole physical lines.
type Block struct {
	Data    []byte // lines, each with its line feed; the last line of the input may lack it
	Offset  int64  // of Data[0] in the input
	Line    int    // 1-based number of the first line
	skipped int64  // when positive, Data is the start of one long line and this much of it was skipped
	crlf    bool   // the skipped part ended in a carriage return
	ended   bool   // the long line has its line feed
	maxLine int
}

// Whole says whether the block's last line has ended.
func (b Block) Whole() bool {
	return b.skipped > 0 && b.ended || b.skipped == 0 && bytes.HasSuffix(b.Data, []byte{'\n'})
}

// End returns the offset after the block and the number of the line that begins
// there.
func (b Block) End() (offset int64, line int) {
	if b.skipped > 0 {
		offset = b.Offset + int64(len(b.Data)) + b.skipped
		if b.ended {
			offset++
		}
		return offset, b.Line + 1
	}
	return b.Offset + int64(len(b.Data)), b.Line + bytes.Count(b.Data, []byte{'\n'})
}

// Blocks cuts a stream into blocks.
type Blocks struct {
	r       io.Reader
	size    int // of a block, in the end
	aim     int // of the next one: small files take small buffers
	maxLine int
	most    int    // lines of a block; 0: any number
	carry   []byte // the beginning of a line whose end has not been read
	offset  int64  // of carry in the input
	line    int    // number of the line that carry begins
	err     error  // what ended the stream: io.EOF or a read error
}

// NewBlocks reads blocks of about size bytes from r; lines longer than maxLine bytes
// are cut. Zero values mean the defaults.
func NewBlocks(r io.Reader, size, maxLine int) *Blocks {
	if maxLine <= 0 {
		maxLine = DefaultMaxLine
	}
	if size <= 0 {
		size = DefaultBlock
	}
	return &Blocks{r: r, size: size, aim: min(size, firstBlock), maxLine: maxLine, line: 1}
}

// From makes the first byte that is read the one at offset, the first of the given
// line: the stream is the rest of an input whose beginning is known.
func (b *Blocks) From(offset int64, line int) *Blocks {
	b.offset, b.line = offset, line
	return b
}

// AtMost bounds the lines of a block, for work that takes memory for each line, however
// short it is.
func (b *Blocks) AtMost(lines int) *Blocks {
	b.most = lines
	return b
}

// Next fills buf (which may be nil or of any capacity) with the next whole lines. A
// block is handed out as soon as a read falls short and has brought at least one line
// end, so that a slow pipe is checked as it grows. The error is io.EOF at the end of
// the input; lines that were read before an error come first.
func (b *Blocks) Next(buf []byte) (Block, error) {
	buf = append(buf[:0], b.carry...)
	for searched := 0; b.err == nil; {
		if end := bytes.LastIndexByte(buf[searched:], '\n'); end >= 0 {
			return b.cut(buf, searched+end+1), nil
		}
		if len(buf) > b.maxLine+1 { // one more for the carriage return of a CRLF
			return b.skipLong(buf), nil
		}
		searched = len(buf)
		buf = b.fill(buf)
	}
	if end := bytes.LastIndexByte(buf, '\n') + 1; end > 0 {
		return b.cut(buf, end), nil
	}
	if len(buf) > 0 {
		return b.cut(buf, len(buf)), nil
	}
	return Block{}, b.err
}

// fill reads until buf has reached the block size, or a read fell short and brought
// a line end.
func (b *Blocks) fill(buf []byte) []byte {
	want := b.aim
	if len(buf) >= want {
		want = min(2*len(buf), b.maxLine+2)
	}
	want = max(want, len(buf)+1)
	if cap(buf) < want {
		buf = append(make([]byte, 0, want), buf...)
	}
	for b.err == nil && len(buf) < want {
		n, err := b.r.Read(buf[len(buf):want])
		short := n < want-len(buf)
		buf = buf[:len(buf)+n]
		b.err = err
		if short && bytes.IndexByte(buf[len(buf)-n:], '\n') >= 0 {
			return buf
		}
	}
	b.aim = min(2*b.aim, b.size)
	return buf
}

// cut hands out buf[:end], or fewer lines of it where they are too many, and keeps the rest
// for the next block.
func (b *Blocks) cut(buf []byte, end int) Block {
	lines := bytes.Count(buf[:end], []byte{'\n'})
	if b.most > 0 && lines > b.most {
		lines, end = b.most, endOf(buf, b.most)
	}
	block := Block{Data: buf[:end], Offset: b.offset, Line: b.line, maxLine: b.maxLine}
	b.carry = append(b.carry[:0], buf[end:]...)
	b.offset += int64(end)
	b.line += lines
	return block
}

// endOf is where the first lines of buf end, of which there are as many.
func endOf(buf []byte, lines int) (end int) {
	for range lines {
		end += bytes.IndexByte(buf[end:], '\n') + 1
	}
	return end
}

// skipLong drops the rest of a line that has outgrown the limit without holding it.
func (b *Blocks) skipLong(buf []byte) Block {
	block := Block{Data: buf[:b.maxLine], Offset: b.offset, Line: b.line, maxLine: b.maxLine}
	block.skipped = int64(len(buf) - b.maxLine)
	b.carry = b.carry[:0]
	last := buf[len(buf)-1]
	terminator := int64(0)
	for chunk := make([]byte, 64<<10); b.err == nil && terminator == 0; {
		n, err := b.r.Read(chunk)
		b.err = err
		text, rest, found := bytes.Cut(chunk[:n], []byte{'\n'})
		block.skipped += int64(len(text))
		if len(text) > 0 {
			last = text[len(text)-1]
		}
		if found {
			terminator = 1
			b.carry = append(b.carry, rest...)
		}
	}
	b.offset += int64(len(block.Data)) + block.skipped + terminator
	b.line++
	block.crlf, block.ended = last == '\r', terminator == 1
	return block
}
