package diagnosis

import (
	"io"
	"slices"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// lines are the records of a log in file order, from some place on.
type lines struct {
	more  func() []stream.Line // the next ones; none at the end
	ahead []stream.Line        // those that were asked for, and not passed
}

// maxAhead is the number of lines that are looked at to understand the first of them.
const maxAhead = 4

// see returns the next n lines, fewer at the end.
func (l *lines) see(n int) []stream.Line {
	for len(l.ahead) < n {
		more := l.more()
		if len(more) == 0 {
			break
		}
		l.ahead = append(slices.Clip(l.ahead), more...)
	}
	return l.ahead[:min(n, len(l.ahead))]
}

// drop drops n processed lines.
func (l *lines) drop(n int) { l.ahead = l.ahead[min(n, len(l.ahead)):] }

func (l *lines) all(yield func(stream.Line) bool) {
	for list := l.see(1); len(list) > 0; list = l.see(1) {
		if l.drop(1); !yield(list[0]) {
			return
		}
	}
}

// recordsOf returns the records of an input. A read error ends them.
func recordsOf(in stream.Input) *lines {
	return &lines{more: func() (list []stream.Line) {
		for len(list) == 0 {
			b, err := in.Next(nil)
			if err != nil {
				return nil
			}
			for l := range b.Lines {
				if !l.Blank() {
					list = append(list, l)
				}
			}
		}
		return list
	}}
}

func listed(list []stream.Line) *lines {
	return &lines{more: func() (all []stream.Line) {
		all, list = list, nil
		return all
	}}
}

// cursor moves forward through the lines of a text and can skip ranges.
type cursor struct {
	text      *io.SectionReader
	lineBytes int
	at        *lines
}

// nearBytes is the block size, and the largest gap that is read instead of skipped.
const nearBytes = 64 << 10

// to returns the lines from an offset on. number is the number of the first line.
func (c *cursor) to(offset int64, number int) *lines {
	if c.at != nil {
		for list := c.at.see(1); len(list) > 0; list = c.at.see(1) {
			left := offset - list[0].Offset
			if left == 0 {
				return c.at
			}
			if left < 0 || left >= nearBytes {
				break
			}
			c.at.drop(1)
		}
	}
	rest := io.NewSectionReader(c.text, offset, c.text.Size()-offset)
	c.at = recordsOf(&linesFrom{source.NewBlocks(rest, nearBytes, c.lineBytes).From(offset, number)})
	return c.at
}

// linesFrom is an input that starts within a text.
type linesFrom struct{ blocks *source.Blocks }

// Next implements stream.Input.
func (in *linesFrom) Next(buf []byte) (stream.Block, error) {
	b, err := in.blocks.Next(buf)
	return stream.Block{Data: b.Data, Lines: b.Lines()}, err
}
