package stream

import (
	"bytes"
	"cmp"
	"io"
	"slices"

	"github.com/cupel-dev/cupel/internal/source"
)

// defaultBlock is smaller than source.DefaultBlock, because workers multiply its size and several
// blocks are in memory.
const defaultBlock = 256 << 10

// Lines reads JSON lines in blocks of about block bytes; 0 means the default.
func Lines(r io.Reader, limits Limits, block int) Input {
	return physical{source.NewBlocks(r, cmp.Or(block, defaultBlock), limits.LineBytes)}
}

type physical struct{ blocks *source.Blocks }

func (p physical) Next(buf []byte) (Block, error) {
	b, err := p.blocks.Next(buf)
	return Block{Data: b.Data, Lines: b.Lines()}, err
}

// GrowingLines is the input of JSON lines that are still being written: a last line without
// its end is left for later.
type GrowingLines struct {
	Place
	// Waiting is the length of the line that was left.
	Waiting int
	// Complete is asked at the end whether nothing more will be written: then the last line
	// needs no end. nil says no.
	Complete func() bool
	blocks   *source.Blocks
}

// Place is where the lines that were read end.
type Place struct {
	Offset int64  // bytes read
	Line   int    // number of the next line
	Tail   []byte // the last bytes read, at most TailBytes
}

// TailBytes is the size of the log's end that is remembered to recognize the log again.
const TailBytes = 4 << 10

// NewGrowing reads lines from r, which continues after the given place. A block has about block
// bytes; 0 means the default.
func NewGrowing(r io.Reader, limits Limits, block int, after Place) *GrowingLines {
	after.Line = max(after.Line, 1)
	return &GrowingLines{Place: after, blocks: source.NewBlocks(r, block, limits.LineBytes).From(after.Offset, after.Line)}
}

// Next delivers the next whole lines.
func (g *GrowingLines) Next(buf []byte) (Block, error) {
	b, err := g.blocks.Next(buf)
	if err != nil {
		return Block{}, err
	}
	if !b.Whole() && (g.Complete == nil || !g.Complete()) {
		end := bytes.LastIndexByte(b.Data, '\n') + 1
		last, _ := b.End()
		g.Waiting = int(last-b.Offset) - end
		b.Data = b.Data[:end]
	}
	if len(b.Data) == 0 {
		return Block{}, io.EOF
	}
	g.Offset, g.Line = b.End()
	fresh := b.Data[max(0, len(b.Data)-TailBytes):]
	kept := g.Tail[max(0, len(g.Tail)+len(fresh)-TailBytes):]
	g.Tail = slices.Concat(kept, fresh)
	return Block{Data: b.Data, Lines: b.Lines()}, nil
}
