package stream

import (
	"io"

	"github.com/cupel-dev/cupel/internal/source"
)

// Lines is the input of JSON lines: one record on each physical line.
func Lines(r io.Reader, limits Limits) Input {
	return physical{source.NewBlocks(r, 0, limits.LineBytes)}
}

type physical struct{ blocks *source.Blocks }

func (p physical) Next(buf []byte) (Block, error) {
	b, err := p.blocks.Next(buf)
	return Block{Data: b.Data, Lines: b.Lines()}, err
}
