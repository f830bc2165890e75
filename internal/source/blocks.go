// Package source splits untrusted input into lines and locates positions in them. It reads the
// stream once and holds one block and a bounded part of a line.
package source

import (
	"bytes"
	"io"
)

// DefaultBlock is the default block size: large enough to make passing on cheap, small enough to hold several.
const DefaultBlock = 1 << 20

// firstBlock is the size of the first block; each full one doubles it. Most logs are short.
const firstBlock = 16 << 10

// DefaultMaxLine is the default line limit without line end. Longer lines are reported and skipped without buffering.
const DefaultMaxLine = 16 << 20

// Block is a run of whole lines.
type Block struct {
	Data    []byte // lines with line feeds; the last line of the input can lack one
	Offset  int64  // of Data[0] in the input
	Line    int    // number of the first line, from 1
	skipped int64  // if positive, Data is the start of a long line and skipped the size of its omitted rest
	crlf    bool   // the skipped part ended in CR
	ended   bool   // the long line has a line feed
	maxLine int
}

// Whole reports whether the block's last line has ended.
func (b Block) Whole() bool {
	return b.skipped > 0 && b.ended || b.skipped == 0 && bytes.HasSuffix(b.Data, []byte{'\n'})
}

// End returns the offset and line number after the block.
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

type Blocks struct {
	r       io.Reader
	size    int // final block size
	aim     int // size of the next block
	maxLine int
	most    int    // lines per block; 0: unlimited
	carry   []byte // start of an incomplete line
	offset  int64  // of carry in the input
	line    int    // line number of carry
	err     error  // io.EOF or a read error
}

// NewBlocks returns blocks of about size bytes; lines longer than maxLine bytes are cut. Zero means the default.
func NewBlocks(r io.Reader, size, maxLine int) *Blocks {
	if maxLine <= 0 {
		maxLine = DefaultMaxLine
	}
	if size <= 0 {
		size = DefaultBlock
	}
	return &Blocks{r: r, size: size, aim: min(size, firstBlock), maxLine: maxLine, line: 1}
}

// From sets the position of the stream's first byte in the input.
func (b *Blocks) From(offset int64, line int) *Blocks {
	b.offset, b.line = offset, line
	return b
}

// AtMost limits the lines per block, for work that allocates per line.
func (b *Blocks) AtMost(lines int) *Blocks {
	b.most = lines
	return b
}

// Next fills buf (nil or of any capacity) with the next complete lines. It returns a block as soon as a read is
// short and contains a line end, so that slow pipes are processed promptly. It returns io.EOF at the end; lines
// read before an error come first.
func (b *Blocks) Next(buf []byte) (Block, error) {
	buf = append(buf[:0], b.carry...)
	for searched := 0; b.err == nil; {
		if end := lastLineEnd(buf[searched:]); end >= 0 {
			return b.cut(buf, searched+end+1), nil
		}
		if len(buf) > b.maxLine+1 { // +1 for the CR of a CRLF
			return b.skipLong(buf), nil
		}
		searched = len(buf)
		buf = b.fill(buf)
	}
	if end := lastLineEnd(buf) + 1; end > 0 {
		return b.cut(buf, end), nil
	}
	if len(buf) > 0 {
		return b.cut(buf, len(buf)), nil
	}
	return Block{}, b.err
}

// lastLineEnd is bytes.LastIndexByte, which looks at one byte at a time: long lines have none, which IndexByte finds
// out much sooner.
func lastLineEnd(text []byte) int {
	if bytes.IndexByte(text, '\n') < 0 {
		return -1
	}
	return bytes.LastIndexByte(text, '\n')
}

// fill reads until buf has the block size, or a short read contained a line end.
func (b *Blocks) fill(buf []byte) []byte {
	want := b.aim
	if len(buf) >= want {
		want = min(2*len(buf), b.maxLine+2)
	}
	want = max(want, len(buf)+1)
	if cap(buf) < want {
		larger := make([]byte, len(buf), want)
		Copy(larger, buf)
		buf = larger
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

// cut returns up to the maximum number of lines of buf[:end] and carries the rest.
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

func endOf(buf []byte, lines int) (end int) {
	for range lines {
		end += bytes.IndexByte(buf[end:], '\n') + 1
	}
	return end
}

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
