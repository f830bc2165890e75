// Package journal implements a file of lines that several processes append to. The first line
// identifies the format; of the others, the newest are kept, up to a size:
//
//	{"schema":"cupel.history/1"}
//	{"assertion_id":"helpful","score":0.91}
//
// A partially written line stays, and the next write starts a new line. Readers skip malformed lines.
package journal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/cupel-dev/cupel/internal/door"
)

// Format describes a kind of file.
type Format struct {
	Name    string // used in errors, such as "history of scores"
	First   string // first line
	MaxLine int    // bytes; longer lines are skipped
}

func (f Format) header() string { return f.First + "\n" }

// ErrForeign is returned for a file with a different first line. Such a file is not changed.
var ErrForeign = errors.New("the file has a different format")

// foreign is an ErrForeign that names the expected format.
type foreign struct{ Format }

func (e *foreign) Error() string {
	return fmt.Sprintf("the file is not a %s: expected the first line %s", e.Name, e.First)
}

func (e *foreign) Is(target error) bool { return target == ErrForeign }

// File is a journal file. It is safe for concurrent use.
type File struct {
	name    string
	ledger  *door.Ledger
	format  Format
	max     int64         // size limit in bytes
	writing chan struct{} // semaphore for writers in this process
}

// Open opens or creates the file. max is its size limit in bytes, fresh its permissions before umask. A file of
// another format is an ErrForeign.
func Open(ctx context.Context, name string, format Format, max int64, fresh fs.FileMode) (*File, error) {
	ledger, err := door.OpenLedger(name, fresh)
	if err != nil {
		return nil, err
	}
	f := &File{name: name, ledger: ledger, format: format, max: max, writing: make(chan struct{}, 1)}
	f.writing <- struct{}{}
	return f, f.Append(ctx, nil)
}

func (f *File) check(r io.ReaderAt, size int64) error { return f.format.Check(f.name, r, size) }

// Check reports whether a file of the given size has the format or is the start of such a file. Otherwise it
// returns an ErrForeign.
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
