package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/trace"
)

// whose says which file has the name of a followed log.
type whose uint8

const (
	its      whose = iota // the log itself
	anothers              // another file
	nobodys               // no regular file
)

// look checks, at the end of the input, the log and the file with its name. It returns io.EOF at the log's end.
// again means that more can be read.
func (f *follower) look() (again bool, err error) {
	info, err := f.file.Stat()
	switch {
	case err != nil:
		return false, err
	case info.Size() > f.read.to:
		return false, nil // it has just grown
	case info.Size() < f.read.to:
		return false, f.rewritten(nil)
	case f.read.changed.IsZero():
		f.read.changed = info.ModTime()
	case !f.read.changed.Equal(info.ModTime()):
		if same, err := f.read.isIn(f.ctx, f.file); err != nil || !same {
			return false, f.rewritten(err)
		}
		f.read.changed = info.ModTime()
	}
	if f.next != nil { // the log was read to its end after the next one had begun
		f.End = trace.Rotated
		return false, io.EOF
	}
	return f.lookForName(info), nil
}

// rewritten ends a log whose earlier bytes have changed, unless err prevents the check.
func (f *follower) rewritten(err error) error {
	if err != nil {
		return err
	}
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	f.End, f.size = trace.Rewritten, info.Size()
	return io.EOF
}

// lookForName checks whether another file has the log's name. While that one is empty, the writer can still use the
// old file. Before switching, the old file is read once more.
func (f *follower) lookForName(own fs.FileInfo) (again bool) {
	info, err := door.Stat(f.path)
	switch {
	case err != nil:
		f.lost(err)
	case os.SameFile(own, info):
		f.name = its
	case !info.Mode().IsRegular():
		f.lost(errIrregular)
	case info.Size() == 0:
		f.name = anothers
	default:
		if f.next, err = f.open(); err != nil {
			f.lost(err)
			return false
		}
		f.name = anothers
		return true
	}
	return false
}

var errIrregular = errors.New("the path is no longer a regular file")

// lost warns once that no file has the log's name.
func (f *follower) lost(why error) {
	if f.name == nobodys {
		return
	}
	f.name = nobodys
	why = say.Plain(why)
	if errors.Is(why, fs.ErrNotExist) {
		why = errors.New("the file was removed or renamed")
	}
	f.tell(fmt.Sprintf("%q is followed, but %v; waiting for a file of that name", f.path, why))
}

// Successor returns a follower of the file that replaced an ended log, or nil. It closes unused files.
func (f *follower) Successor() *follower {
	switch {
	case f.stops.finished() != "", f.stops.Failed():
	case f.End == trace.Rewritten:
		if f.next != nil {
			_ = f.next.Close() // opened for reading: nothing can be lost
		}
		return &follower{watch: f.watch, file: f.file, Earlier: &trace.Earlier{Ending: f.End, Bytes: f.read.to, Size: f.size}}
	case f.End == trace.Rotated && f.next != nil:
		_ = f.file.Close()
		return &follower{watch: f.watch, file: f.next, Earlier: &trace.Earlier{Ending: f.End, Bytes: f.read.to}}
	}
	f.Close()
	return nil
}
