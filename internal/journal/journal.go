// Package journal is a file of lines to which several processes append. The first line says
// what the file is; of the others it keeps the newest, up to a size:
//
//	{"schema":"cupel.history/1"}
//	{"assertion_id":"helpful","score":0.91}
//
// A line that a process could not write to its end stays where it is, and the next one begins
// anew: readers pass over what makes no sense.
package journal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/cupel-dev/cupel/internal/door"
)

// Format is what the files of a kind have in common.
type Format struct {
	Name    string // of the kind, in errors: "history of scores"
	First   string // line
	MaxLine int    // bytes of a line; longer ones are passed over
}

func (f Format) header() string { return f.First + "\n" }

// ErrForeign is why a file is left alone: its first line is another.
var ErrForeign = errors.New("it is another file")

// foreign is an ErrForeign that says what is expected.
type foreign struct{ Format }

func (e *foreign) Error() string {
	return fmt.Sprintf("it is no %s, whose first line is %s", e.Name, e.First)
}

func (e *foreign) Is(target error) bool { return target == ErrForeign }

// File is the file. It is safe for concurrent use.
type File struct {
	name    string
	ledger  *door.Ledger
	format  Format
	max     int64         // bytes of the file
	writing chan struct{} // holds one while nobody of this process writes
}

// Open opens the file, which is made when nothing is there. Max is how large it grows, in
// bytes; fresh are its permissions, before the umask. The error says that this cannot be done,
// or is an ErrForeign with the name of the file.
func Open(ctx context.Context, name string, format Format, max int64, fresh fs.FileMode) (*File, error) {
	ledger, err := door.OpenLedger(name, fresh)
	if err != nil {
		return nil, err
	}
	f := &File{name: name, ledger: ledger, format: format, max: max, writing: make(chan struct{}, 1)}
	f.writing <- struct{}{}
	return f, f.Append(ctx, nil)
}

// check is Check for this file.
func (f *File) check(r io.ReaderAt, size int64) error { return f.format.Check(f.name, r, size) }

// Check says whether a file of a size is one of the format, or the beginning of one. The error
// is an ErrForeign with the name, or says that the file cannot be read.
func (f Format) Check(name string, r io.ReaderAt, size int64) error {
	header := f.header()
	begin := make([]byte, min(size, int64(len(header))))
	if _, err := r.ReadAt(begin, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if string(begin) != header[:len(begin)] {
		return &fs.PathError{Op: "open", Path: name, Err: &foreign{f}}
	}
	return nil
}
