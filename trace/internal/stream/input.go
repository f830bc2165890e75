package stream

import (
	"bytes"
	"cmp"
	"io"
	"slices"

	"github.com/cupel-dev/cupel/internal/source"
)

// defaultBlock is smaller than source.DefaultBlock, because several blocks per worker are in memory.
const defaultBlock = 256 << 10

// Lines returns JSON lines in blocks of about block bytes, 0 for the default.
func Lines(r io.Reader, limits Limits, block int) Input {
	return physical{source.NewBlocks(r, cmp.Or(block, defaultBlock), limits.LineBytes)}
}

type physical struct{ blocks *source.Blocks }

func (p physical) Next(buf []byte) (Block, error) {
	b, err := p.blocks.Next(buf)
	return Block{Data: b.Data, Lines: b.Lines()}, err
}

// GrowingLines is an input of JSON lines that are still being written. An unterminated last line is left for later.
type GrowingLines struct {
	Place
	// Waiting is the length of the unterminated last line.
	Waiting int
	// Complete, if set, reports at the end of the input whether nothing more will be written. Then an unterminated
	// last line is complete.
	Complete func() bool
	blocks   *source.Blocks
}

// Place is the position after the last line that was read.
type Place struct {
	Offset int64  // bytes read
	Line   int    // number of the next line
	Tail   []byte // the last bytes read, at most TailBytes
}

// TailBytes is the size of the log's end that is stored to recognize the log.
const TailBytes = 4 << 10

// NewGrowing returns the lines in r, which continues after the given place. Blocks have about block bytes, 0 for
// the default.
func NewGrowing(r io.Reader, limits Limits, block int, after Place) *GrowingLines {
	after.Line = max(after.Line, 1)
	return &GrowingLines{Place: after, blocks: source.NewBlocks(r, block, limits.LineBytes).From(after.Offset, after.Line)}
}

// Next returns the next complete lines.
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
