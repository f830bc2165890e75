// Package doortest provides disks for tests (see door.Use): one with calls that fail on demand and
// one that records what a power failure would leave.
package doortest

import (
	"io"
	"io/fs"
	"path/filepath"
	"sync"

	"github.com/cupel-dev/cupel/internal/door"
)

// Faults counts calls to the file system, readers and writers, and makes one of them fail. The zero
// value only counts. It is safe for concurrent use.
type Faults struct {
	At     int   // number of the call that fails, from 1
	Err    error // its error
	Writes bool  // count only writes
	Short  bool  // the failing read or write does half of its work
	Dead   bool  // all later calls fail, including removals

	Trickle bool // reads return one byte

	Before func(op, name string) // called before each call; can be nil

	mu     sync.Mutex
	calls  int
	failed string
}

// Calls returns the number of counted calls.
func (f *Faults) Calls() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls
}

// Failed returns the first failed call, such as "read run/plan.json", or "".
func (f *Faults) Failed() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failed
}

const (
	reads  = false
	writes = true
)

// fail counts a call and reports whether it must fail.
func (f *Faults) fail(writes bool, op, name string) bool {
	if f.Before != nil {
		f.Before(op, name)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Writes && !writes {
		return f.isDead()
	}
	f.calls++
	if f.calls == f.At {
		f.failed = op + " " + name
		return true
	}
	return f.isDead()
}

func (f *Faults) isDead() bool { return f.Dead && f.failed != "" }

// call counts a call and makes it unless it must fail.
func call[T any](f *Faults, writes bool, op, name string, do func() (T, error)) (T, error) {
	if f.fail(writes, op, name) {
		var none T
		return none, &fs.PathError{Op: op, Path: name, Err: f.Err}
	}
	return do()
}

// act is call for writes that return only an error.
func act(f *Faults, op, name string, do func() error) error {
	_, err := call(f, writes, op, name, func() (struct{}, error) { return struct{}{}, do() })
	return err
}

// Disk returns d with counted calls.
func (f *Faults) Disk(d door.Disk) door.Disk { return faultyDisk{d, f} }

func (f *Faults) Reader(name string, r io.Reader) io.Reader {
	return readerFunc(func(p []byte) (int, error) { return f.stream(name, p, r.Read) })
}

func (f *Faults) Writer(name string, w io.Writer) io.Writer {
	var one sync.Mutex // one write at a time, as for system files
	return writerFunc(func(p []byte) (int, error) {
		one.Lock()
		defer one.Unlock()
		return f.write(name, p, w.Write)
	})
}

type (
	readerFunc func([]byte) (int, error)
	writerFunc func([]byte) (int, error)
)

func (r readerFunc) Read(p []byte) (int, error)  { return r(p) }
func (w writerFunc) Write(p []byte) (int, error) { return w(p) }

// stream is call for reads and writes that can be short.
func (f *Faults) stream(name string, p []byte, do func([]byte) (int, error)) (int, error) {
	if f.Trickle && len(p) > 1 {
		p = p[:1]
	}
	return f.read(name, p, do)
}

func (f *Faults) read(name string, p []byte, do func([]byte) (int, error)) (int, error) {
	return f.transfer(reads, "read", name, p, do)
}

func (f *Faults) write(name string, p []byte, do func([]byte) (int, error)) (int, error) {
	return f.transfer(writes, "write", name, p, do)
}

func (f *Faults) transfer(writes bool, op, name string, p []byte, do func([]byte) (int, error)) (n int, err error) {
	if !f.fail(writes, op, name) {
		return do(p)
	}
	if f.Short {
		n, _ = do(p[:len(p)/2])
	}
	return n, &fs.PathError{Op: op, Path: name, Err: f.Err}
}

type faultyDisk struct {
	door.Disk
	faults *Faults
}

func (d faultyDisk) open(writes bool, name string, do func() (door.File, error)) (door.File, error) {
	f, err := call(d.faults, writes, "open", name, do)
	if err != nil {
		return nil, err
	}
	return faultyFile{f, name, writes, d.faults}, nil
}

func (d faultyDisk) Open(name string) (door.File, error) {
	return d.open(reads, name, func() (door.File, error) { return d.Disk.Open(name) })
}

func (d faultyDisk) Append(name string) (door.File, error) {
	return d.open(writes, name, func() (door.File, error) { return d.Disk.Append(name) })
}

func (d faultyDisk) Create(name string, mode fs.FileMode) (door.File, error) {
	return d.open(writes, name, func() (door.File, error) { return d.Disk.Create(name, mode) })
}

func (d faultyDisk) Ledger(name string, mode fs.FileMode) (door.File, error) {
	return d.open(writes, name, func() (door.File, error) { return d.Disk.Ledger(name, mode) })
}

func (d faultyDisk) OpenRoot(dir string) (door.Root, error) {
	return faultyOpenRoot(d.faults, dir, func() (door.Root, error) { return d.Disk.OpenRoot(dir) })
}

func (d faultyDisk) Stat(name string) (fs.FileInfo, error) {
	return call(d.faults, reads, "stat", name, func() (fs.FileInfo, error) { return d.Disk.Stat(name) })
}

func (d faultyDisk) Lstat(name string) (fs.FileInfo, error) {
	return call(d.faults, reads, "lstat", name, func() (fs.FileInfo, error) { return d.Disk.Lstat(name) })
}

func (d faultyDisk) Readlink(name string) (string, error) {
	return call(d.faults, reads, "readlink", name, func() (string, error) { return d.Disk.Readlink(name) })
}

func (d faultyDisk) EvalSymlinks(name string) (string, error) {
	return call(d.faults, reads, "lstat", name, func() (string, error) { return d.Disk.EvalSymlinks(name) })
}

func (d faultyDisk) Rename(from, to string) error {
	return act(d.faults, "rename", to, func() error { return d.Disk.Rename(from, to) })
}

func (d faultyDisk) Link(from, to string) error {
	return act(d.faults, "link", to, func() error { return d.Disk.Link(from, to) })
}

func (d faultyDisk) MakeFolder(name string) error {
	return act(d.faults, "mkdir", name, func() error { return d.Disk.MakeFolder(name) })
}

// Remove fails only on a dead disk.
func (d faultyDisk) Remove(name string) error {
	d.faults.mu.Lock()
	dead := d.faults.isDead()
	d.faults.mu.Unlock()
	if dead {
		return &fs.PathError{Op: "remove", Path: name, Err: d.faults.Err}
	}
	return d.Disk.Remove(name)
}

// SyncFolder and Sync are counted but do nothing, to save time.
func (d faultyDisk) SyncFolder(name string) error { return act(d.faults, "sync", name, nothing) }

func nothing() error { return nil }

type faultyRoot struct {
	door.Root
	name   string
	faults *Faults
}

func faultyOpenRoot(f *Faults, name string, do func() (door.Root, error)) (door.Root, error) {
	root, err := call(f, reads, "open", name, do)
	if err != nil {
		return nil, err
	}
	return faultyRoot{root, name, f}, nil
}

func (r faultyRoot) path(name string) string { return filepath.Join(r.name, name) }

func (r faultyRoot) OpenFile(name string, flag int, mode fs.FileMode) (door.File, error) {
	return faultyDisk{faults: r.faults}.open(reads, r.path(name), func() (door.File, error) { return r.Root.OpenFile(name, flag, mode) })
}

func (r faultyRoot) OpenRoot(name string) (door.Root, error) {
	return faultyOpenRoot(r.faults, r.path(name), func() (door.Root, error) { return r.Root.OpenRoot(name) })
}

func (r faultyRoot) Stat(name string) (fs.FileInfo, error) {
	return call(r.faults, reads, "stat", r.path(name), func() (fs.FileInfo, error) { return r.Root.Stat(name) })
}

func (r faultyRoot) Lstat(name string) (fs.FileInfo, error) {
	return call(r.faults, reads, "lstat", r.path(name), func() (fs.FileInfo, error) { return r.Root.Lstat(name) })
}

// faultyFile counts calls. Closing a file that was only read does not fail.
type faultyFile struct {
	door.File
	name   string
	writes bool
	faults *Faults
}

func (f faultyFile) Read(p []byte) (int, error)  { return f.faults.stream(f.name, p, f.File.Read) }
func (f faultyFile) Write(p []byte) (int, error) { return f.faults.write(f.name, p, f.File.Write) }

func (f faultyFile) ReadAt(p []byte, offset int64) (int, error) {
	return f.faults.read(f.name, p, func(p []byte) (int, error) { return f.File.ReadAt(p, offset) })
}

func (f faultyFile) ReadDir(n int) ([]fs.DirEntry, error) {
	return call(f.faults, reads, "readdir", f.name, func() ([]fs.DirEntry, error) { return f.File.ReadDir(n) })
}

func (f faultyFile) Seek(offset int64, whence int) (int64, error) {
	return call(f.faults, reads, "seek", f.name, func() (int64, error) { return f.File.Seek(offset, whence) })
}

func (f faultyFile) Stat() (fs.FileInfo, error) {
	return call(f.faults, reads, "stat", f.name, f.File.Stat)
}

func (f faultyFile) Chmod(mode fs.FileMode) error {
	return act(f.faults, "chmod", f.name, func() error { return f.File.Chmod(mode) })
}

func (f faultyFile) Truncate(size int64) error {
	return act(f.faults, "truncate", f.name, func() error { return f.File.Truncate(size) })
}

func (f faultyFile) Sync() error { return act(f.faults, "sync", f.name, nothing) }

func (f faultyFile) Close() error {
	err := f.File.Close()
	if f.writes && f.faults.fail(writes, "close", f.name) {
		return &fs.PathError{Op: "close", Path: f.name, Err: f.faults.Err}
	}
	return err
}
