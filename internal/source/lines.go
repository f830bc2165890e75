package source

import (
	"bytes"
	"fmt"
	"io"
	"iter"
)

// Line is one physical line, or a record that stands on a part of a line or on
// several.
type Line struct {
	Number     int    // 1-based
	Column     int    // code points before Bytes on the line; 0 for a physical line
	Offset     int64  // of the first byte in the input
	Bytes      []byte // without the line feed and without one carriage return before it
	Terminated bool   // the line ended in a line feed; only the last of an input may not
	CR         bool   // a carriage return before the line's end is not part of Bytes
	Long       bool   // longer than the limit: Bytes is only its start
	Size       int64  // the whole line's length without its end, also for a long line
	Stray      bool   // it is a list of records beside the one that is read

	places *places // of a line that is long and may have many findings; nil for others
}

// Indexed returns the line prepared to be pointed at many times.
func (l Line) Indexed() Line {
	if len(l.Bytes) >= indexed {
		l.places = new(places)
	}
	return l
}

// before returns what stands before a byte of the line.
func (l *Line) before(offset int) place {
	if l.places == nil {
		return place{}.pass(l.Bytes, offset)
	}
	return l.places.before(l.Bytes, offset)
}

// Blank says whether the line is white space only.
func (l Line) Blank() bool {
	if len(l.Bytes) > 0 && l.Bytes[0] > ' ' {
		return false
	}
	return !l.Long && len(bytes.TrimLeft(l.Bytes, " \t\r")) == 0
}

// Lines yields the lines of a block in order. A line's bytes are valid as long as
// the block's.
func (b Block) Lines() iter.Seq[Line] {
	return func(yield func(Line) bool) {
		if b.skipped > 0 {
			yield(b.longLine())
			return
		}
		number, offset := b.Line, b.Offset
		for rest := b.Data; len(rest) > 0; number++ {
			text, after, terminated := bytes.Cut(rest, []byte{'\n'})
			if !yield(b.newLine(number, offset, text, terminated)) {
				return
			}
			offset += int64(len(rest) - len(after))
			rest = after
		}
	}
}

func (b Block) longLine() Line {
	size := int64(len(b.Data)) + b.skipped
	if b.crlf {
		size--
	}
	return Line{Number: b.Line, Offset: b.Offset, Bytes: b.Data, Terminated: b.ended, CR: b.crlf, Long: true, Size: size}
}

func (b Block) newLine(number int, offset int64, text []byte, terminated bool) Line {
	cr := bytes.HasSuffix(text, []byte{'\r'})
	if cr {
		text = text[:len(text)-1]
	}
	line := Line{Number: number, Offset: offset, Bytes: text, Terminated: terminated, CR: cr, Size: int64(len(text))}
	if len(text) > b.maxLine {
		line.Long, line.Bytes = true, text[:b.maxLine]
	}
	return line.Indexed()
}

// Reader yields the lines of a stream one by one.
type Reader struct {
	blocks *Blocks
	buf    []byte
}

// NewReader reads lines from r; a line longer than maxLine bytes is cut. Zero means
// DefaultMaxLine.
func NewReader(r io.Reader, maxLine int) *Reader {
	return &Reader{blocks: NewBlocks(r, 0, maxLine)}
}

// All yields every line; when reading fails, the last pair carries the error and no
// line. A line's bytes are valid until the next one is asked for.
func (r *Reader) All() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for {
			block, err := r.blocks.Next(r.buf)
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(Line{}, err)
				return
			}
			r.buf = block.Data
			for line := range block.Lines() {
				if !yield(line, nil) {
					return
				}
			}
		}
	}
}

// TooLong says of a line that it has more bytes than it may.
func TooLong(size int64, limit int) string {
	return fmt.Sprintf("line of %d bytes, the limit is %d", size, limit)
}
