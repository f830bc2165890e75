package source

import (
	"bytes"
	"fmt"
	"io"
	"iter"
)

// Line is a physical line, or a record on a part of a line or on several.
type Line struct {
	Number     int
	Column     int    // code points before Bytes on the line
	Offset     int64  // of the first byte in the input
	Bytes      []byte // without LF or CR LF
	Terminated bool   // ends in LF; false only for the last line
	CR         bool   // CR before the line end
	Long       bool   // longer than the limit: Bytes is its start
	Size       int64  // full length without line end
	Stray      bool   // a list of records other than the one being read

	places *places // position cache for long lines; else nil
}

// Indexed returns the line with a position cache, for many findings.
func (l Line) Indexed() Line {
	if len(l.Bytes) >= indexed {
		l.places = new(places)
	}
	return l
}

func (l *Line) before(offset int) place {
	if l.places == nil {
		return place{}.pass(l.Bytes, offset)
	}
	return l.places.before(l.Bytes, offset)
}

func (l Line) Blank() bool {
	if len(l.Bytes) > 0 && l.Bytes[0] > ' ' {
		return false
	}
	return !l.Long && len(bytes.TrimLeft(l.Bytes, " \t\r")) == 0
}

// Lines yields the block's lines, valid as long as the block.
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

// Reader yields the lines of a stream.
type Reader struct {
	blocks *Blocks
	buf    []byte
}

// NewReader returns a reader; lines longer than maxLine bytes are cut. Zero means DefaultMaxLine.
func NewReader(r io.Reader, maxLine int) *Reader {
	return &Reader{blocks: NewBlocks(r, 0, maxLine)}
}

// All yields every line, valid until the next one. A read error comes last, without a line.
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

// TooLong returns the message for an oversized line.
func TooLong(size int64, limit int) string {
	return fmt.Sprintf("line of %d bytes, the limit is %d", size, limit)
}
