package stream

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/cupel-dev/cupel/internal/source"
)

// Segments is a log in several files. Lines are numbered across them; Place locates a line. An unterminated last
// line of a file is complete.
type Segments struct {
	r      io.Reader // ends with each segment
	next   func() (name string, err error)
	limits Limits
	block  int

	blocks *source.Blocks // of the segment that is read; nil between two
	offset int64
	line   int // number of the next line

	mu   sync.Mutex // Place is asked while the next block is read
	list []Segment
}

// Placed returns segments that were read elsewhere. Only Place can be called.
func Placed(list []Segment) *Segments { return &Segments{list: list} }

// Segment is one of the files.
type Segment struct {
	Name    string
	First   int  // number of its first line
	Content bool // a line with more than white space was read of it
}

// NewSegments returns the JSON lines in r, which ends after each segment and continues after next. next returns the
// segment's name, or io.EOF after the last. Blocks have about block bytes, 0 for the default.
func NewSegments(r io.Reader, next func() (string, error), limits Limits, block int) *Segments {
	if block == 0 {
		block = defaultBlock
	}
	return &Segments{r: r, next: next, limits: limits, block: block, line: 1}
}

// Next implements Input. A block contains lines of one segment.
func (in *Segments) Next(buf []byte) (Block, error) {
	for {
		if in.blocks == nil {
			if err := in.open(); err != nil {
				return Block{}, err
			}
		}
		b, err := in.blocks.Next(buf)
		if err == io.EOF {
			in.blocks = nil
			continue
		}
		if err != nil {
			return Block{}, err
		}
		if in.offset, in.line = b.End(); !b.Whole() {
			in.line++
		}
		in.filled(b)
		return Block{Data: b.Data, Lines: b.Lines()}, nil
	}
}

func (in *Segments) open() error {
	name, err := in.next()
	if err != nil {
		return err
	}
	begun := slices.ContainsFunc(in.list, func(s Segment) bool { return s.Content }) // only Next writes
	in.mu.Lock()
	in.list = append(in.list, Segment{Name: name, First: in.line})
	in.mu.Unlock()
	r := in.r
	if !begun { // once the log has begun, a segment is lines, whatever the first of them is
		head, opening, err := readHead(in.r)
		if opening >= 0 {
			return fmt.Errorf("%q is an array, and only logs of JSON lines are rotated: verify it by itself", name)
		}
		r = io.MultiReader(bytes.NewReader(head), in.r)
		if err != nil {
			r = io.MultiReader(bytes.NewReader(head), ended{err})
		}
	}
	in.blocks = source.NewBlocks(r, in.block, in.limits.LineBytes).From(in.offset, in.line)
	return nil
}

// filled marks the current segment as nonempty.
func (in *Segments) filled(b source.Block) {
	last := &in.list[len(in.list)-1] // only Next writes
	if !last.Content && len(bytes.TrimLeft(b.Data, space)) > 0 {
		in.mu.Lock()
		last.Content = true
		in.mu.Unlock()
	}
}

// List returns the segments opened so far.
func (in *Segments) List() []Segment {
	in.mu.Lock()
	defer in.mu.Unlock()
	return slices.Clone(in.list)
}

// Place returns a line's segment, its index, and the line number in it.
func (in *Segments) Place(line int) (segment Segment, at, number int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	at, found := slices.BinarySearchFunc(in.list, line, func(s Segment, line int) int { return s.First - line })
	for found && at+1 < len(in.list) && in.list[at+1].First == line {
		at++ // those before have no line
	}
	if !found {
		at--
	}
	return in.list[at], at, line - in.list[at].First + 1
}
