package door

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Disk is what this package asks of the system. There is one; tests put others in its
// place, whose calls fail or are noted, see Use.
type Disk interface {
	Open(name string) (File, error)                     // to read
	Append(name string) (File, error)                   // to write at its end
	Create(name string, mode fs.FileMode) (File, error) // to write, and to read that, where nothing is
	Ledger(name string, mode fs.FileMode) (File, error) // to read, and to write at its end, made where nothing is
	OpenRoot(dir string) (Root, error)                  // what lies below a folder
	Stat(name string) (fs.FileInfo, error)              // over links
	Lstat(name string) (fs.FileInfo, error)             // of a link itself
	Readlink(name string) (string, error)               // where a link leads
	EvalSymlinks(name string) (string, error)           // a name without links
	Rename(from, to string) error                       // in one step
	Link(from, to string) error                         // a second name for a file, where nothing is
	Remove(name string) error                           // of a file
	MakeFolder(name string) error                       // with those above it, where none is
	SyncFolder(name string) error                       // the names in it are on the disk
}

// Root is the files below a folder, from which no name leads out.
type Root interface {
	OpenFile(name string, flag int, mode fs.FileMode) (File, error)
	OpenRoot(name string) (Root, error)
	Stat(name string) (fs.FileInfo, error)
	Lstat(name string) (fs.FileInfo, error)
	Close() error
}

// File is an open file or folder.
type File interface {
	fs.ReadDirFile
	io.ReaderAt
	io.Seeker
	io.Writer
	syscall.Conn
	Chown(uid, gid int) error
	Chmod(mode fs.FileMode) error
	Sync() error
}

var system Disk = realDisk{}

// Use puts another disk in the place of the system's until restore is called. It is for
// tests, and nothing of this package may run meanwhile that they did not begin.
func Use(d Disk) (restore func()) {
	before := system
	system = d
	return func() { system = before }
}

// System is the disk in use; the one that a test finds is the real one.
func System() Disk { return system }

// Stat describes a file that the user names, over links.
func Stat(name string) (fs.FileInfo, error) { return system.Stat(name) }

// Lstat describes a file that the user names, without following a link.
func Lstat(name string) (fs.FileInfo, error) { return system.Lstat(name) }

// Remove removes a file of the user that cupel wrote.
func Remove(name string) error { return system.Remove(name) }

// MakeFolder makes a folder of the user with those above it, where none is.
func MakeFolder(name string) error { return named("make the folder", name, system.MakeFolder(name)) }

// realDisk is the system's own.
type realDisk struct{}

func (realDisk) Open(name string) (File, error) { return opened(os.Open(name)) }

func (realDisk) Append(name string) (File, error) {
	return opened(os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0))
}

func (realDisk) Create(name string, mode fs.FileMode) (File, error) {
	return opened(os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode))
}

// ledgerFlags are those of Ledger.
const ledgerFlags = os.O_RDWR | os.O_APPEND | os.O_CREATE

func (realDisk) OpenRoot(dir string) (Root, error)    { return rooted(os.OpenRoot(dir)) }
func (realDisk) Readlink(name string) (string, error) { return os.Readlink(name) }
func (realDisk) Link(from, to string) error           { return os.Link(from, to) }
func (realDisk) Remove(name string) error             { return os.Remove(name) }
func (realDisk) MakeFolder(name string) error         { return os.MkdirAll(name, 0o777) }

func (realDisk) Stat(name string) (fs.FileInfo, error) {
	info, err := os.Stat(name)
	return info, nowhere(err)
}

func (realDisk) Lstat(name string) (fs.FileInfo, error) {
	info, err := os.Lstat(name)
	return info, nowhere(err)
}

func (realDisk) EvalSymlinks(name string) (string, error) {
	target, err := filepath.EvalSymlinks(name)
	return target, nowhere(err)
}

func (r realRoot) OpenFile(name string, flag int, mode fs.FileMode) (File, error) {
	f, err := r.Root.OpenFile(name, flag, mode)
	return opened(f, below(err))
}

func (r realRoot) OpenRoot(name string) (Root, error) {
	root, err := r.Root.OpenRoot(name)
	return rooted(root, below(err))
}

func (r realRoot) Stat(name string) (fs.FileInfo, error) {
	info, err := r.Root.Stat(name)
	return info, below(err)
}

func (r realRoot) Lstat(name string) (fs.FileInfo, error) {
	info, err := r.Root.Lstat(name)
	return info, below(err)
}

// below says of a name below a folder what is said of one anywhere: the library's word for it is "statat".
func below(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) && slices.Contains([]string{"openat", "statat"}, at.Op) {
		err = nowhere(&fs.PathError{Op: strings.TrimSuffix(at.Op, "at"), Path: at.Path, Err: at.Err})
	}
	return err
}

// opened and rooted keep a nil pointer from becoming a File or a Root that is not nil.
func opened(f *os.File, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

func rooted(r *os.Root, err error) (Root, error) {
	if err != nil {
		return nil, err
	}
	return newRealRoot(r), nil
}
