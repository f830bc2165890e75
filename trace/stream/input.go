package stream

import (
	"io"

	"github.com/cupel-dev/cupel/internal/source"
)

// blockSize is small beside source.DefaultBlock: what workers make of a block takes a
// few times its size, and several blocks are in memory at a time.
const blockSize = 256 << 10

// Lines is the input of JSON lines: one record on each physical line.
func Lines(r io.Reader, limits Limits) Input {
	return physical{source.NewBlocks(r, blockSize, limits.LineBytes)}
}

type physical struct{ blocks *source.Blocks }

func (p physical) Next(buf []byte) (Block, error) {
	b, err := p.blocks.Next(buf)
	return Block{Data: b.Data, Lines: b.Lines()}, err
}
