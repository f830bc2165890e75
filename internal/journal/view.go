package journal

import (
	"errors"
	"io"
	"io/fs"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/source"
)

// View is a reader's position in a File. The zero View has read nothing. It is not safe for concurrent use.
type View struct {
	file door.File // nil before the first read
	from int64     // offset of the first byte read
	next int64     // offset of the first byte not read
}

// Reader receives the lines of a File.
type Reader interface {
	// Reset discards all lines: the file was replaced.
	Reset()
	// Take receives a line without its end, and its offset. It must not keep line. ok is false for a malformed line.
	Take(line []byte, offset int64) (ok bool)
}

// Refresh reads the lines added since the last call, or all lines of a replaced file. It returns the number of
// malformed lines.
func (f *File) Refresh(v *View, to Reader) (damaged int, err error) {
	file, err := f.ledger.Read(v.file)
	if err != nil {
		*v = View{}
		to.Reset()
		if errors.Is(err, fs.ErrNotExist) {
			return 0, nil // removed
		}
		return 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	size := info.Size()
	if file != v.file || size < v.next || v.next-v.from > 2*f.max {
		from := max(0, size-f.max)
		*v = View{file, from, from}
		to.Reset()
		if err := f.check(file, size); err != nil {
			return 0, err
		}
	}
	if size == v.next {
		return 0, nil
	}
	return f.read(v, size, to)
}

// read reads the lines up to size. It defers an unfinished last line and skips a first line that could be partial.
func (f *File) read(v *View, size int64, to Reader) (damaged int, err error) {
	base := v.next
	cut := base > 0 && base == v.from
	for line, err := range source.NewReader(io.NewSectionReader(v.file, base, size-base), f.format.MaxLine).All() {
		if err != nil {
			return damaged, err
		}
		if !line.Terminated {
			break
		}
		v.next = base + line.Offset + line.Size + 1
		if line.CR {
			v.next++
		}
		if cut || line.Blank() || string(line.Bytes) == f.format.First {
			cut = false
			continue
		}
		if line.Long || !to.Take(line.Bytes, base+line.Offset) {
			damaged++
		}
	}
	return damaged, nil
}

// ReadAt reads from the file of the last Refresh.
func (v *View) ReadAt(b []byte, offset int64) (int, error) { return v.file.ReadAt(b, offset) }

func (v *View) Close() {
	if v.file != nil {
		_ = v.file.Close() // opened for reading: nothing can be lost
	}
	*v = View{}
}
