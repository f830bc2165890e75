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

// Disk is the interface to the file system. Tests replace it by one that fails or records calls (see Use).
type Disk interface {
	Open(name string) (File, error)                     // for reading
	Append(name string) (File, error)                   // for appending
	Create(name string, mode fs.FileMode) (File, error) // exclusively, for reading and writing
	Ledger(name string, mode fs.FileMode) (File, error) // for reading and appending, created if missing
	OpenRoot(dir string) (Root, error)                  // files below a folder
	Stat(name string) (fs.FileInfo, error)              // follows links
	Lstat(name string) (fs.FileInfo, error)             // does not follow links
	Readlink(name string) (string, error)               // target of a link
	EvalSymlinks(name string) (string, error)           // path without links
	Rename(from, to string) error                       // atomic
	Link(from, to string) error                         // hard link; fails if to exists
	Remove(name string) error
	MakeFolder(name string) error // with its parents
	SyncFolder(name string) error // flushes the folder's entries
}

// Root opens files below a folder and follows no name out of it.
type Root interface {
	OpenFile(name string, flag int, mode fs.FileMode) (File, error)
	OpenRoot(name string) (Root, error)
	Stat(name string) (fs.FileInfo, error)
	Lstat(name string) (fs.FileInfo, error)
	Close() error
}

type File interface {
	fs.ReadDirFile
	io.ReaderAt
	io.Seeker
	io.Writer
	syscall.Conn
	Chown(uid, gid int) error
	Chmod(mode fs.FileMode) error
	Sync() error
	Truncate(size int64) error
}

var system Disk = realDisk{}

// Use replaces the disk until restore is called. It is for tests; no other use of this package can run at the same
// time.
func Use(d Disk) (restore func()) {
	before := system
	system = d
	return func() { system = before }
}

// System returns the disk in use.
func System() Disk { return system }

// Stat describes a file that the user names and follows links.
func Stat(name string) (fs.FileInfo, error) { return system.Stat(name) }

// Lstat describes a file that the user names, without following a link.
func Lstat(name string) (fs.FileInfo, error) { return system.Lstat(name) }

// Remove removes a user's file that cupel wrote.
func Remove(name string) error { return system.Remove(name) }

// MakeFolder makes a user's folder and its missing parents.
func MakeFolder(name string) error { return named("make the folder", name, system.MakeFolder(name)) }

// realDisk is the operating system's file system.
type realDisk struct{}

func (realDisk) Open(name string) (File, error) { return opened(os.Open(name)) }

func (realDisk) Append(name string) (File, error) {
	return opened(os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0))
}

func (realDisk) Create(name string, mode fs.FileMode) (File, error) {
	return opened(os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode))
}

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

// below replaces the operation "statat" of an error by "stat".
func below(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) && slices.Contains([]string{"openat", "statat"}, at.Op) {
		err = nowhere(&fs.PathError{Op: strings.TrimSuffix(at.Op, "at"), Path: at.Path, Err: at.Err})
	}
	return err
}

// opened and rooted avoid non-nil interfaces with a nil pointer.
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
