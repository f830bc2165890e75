package journal

import (
	"errors"
	"io"
	"io/fs"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/source"
)

// View is what a reader has seen of a File. It is not safe for concurrent use. The zero View
// has seen nothing.
type View struct {
	file door.File // nil: nothing has been read
	from int64     // the first byte that was read
	next int64     // the first one that was not
}

// Reader takes over what a File says.
type Reader interface {
	// Reset forgets all: another file has taken the place of the one that was read.
	Reset()
	// Take takes a line without its end, and its offset in the file. The line is the
	// reader's until it returns. ok is false when it makes no sense.
	Take(line []byte, offset int64) (ok bool)
}

// Refresh reads what has been added to the file since the last time: of another file in its
// place all, but no more than the newest bytes that a file keeps. It returns how many lines
// make no sense.
func (f *File) Refresh(v *View, to Reader) (damaged int, err error) {
	file, err := f.ledger.Read(v.file)
	if err != nil {
		*v = View{}
		to.Reset()
		if errors.Is(err, fs.ErrNotExist) {
			return 0, nil // somebody has removed it
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

// read takes over the lines up to a size. The last one is left for another time unless it has
// ended, and the first one is passed over when it may have begun earlier.
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

// ReadAt reads from the file that was seen last.
func (v *View) ReadAt(b []byte, offset int64) (int, error) { return v.file.ReadAt(b, offset) }

// Close gives the file up.
func (v *View) Close() {
	if v.file != nil {
		_ = v.file.Close() // opened for reading: nothing can be lost
	}
	*v = View{}
}
