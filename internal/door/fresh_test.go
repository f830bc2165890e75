//go:build unix

package door_test

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"testing"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/doortest"
)

// TestWriteNew writes where nothing is, and leaves alone whatever is there.
func TestWriteNew(t *testing.T) {
	dir := t.TempDir()
	check(t, door.WriteNew(dir+"/new", []byte(newText), 0o600))
	holds(t, dir+"/new", newText)
	if info, err := os.Stat(dir + "/new"); err != nil || info.Mode() != 0o600&^umask() {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	check(t, os.WriteFile(dir+"/file", []byte(oldText), 0o600))
	check(t, os.Symlink("nowhere", dir+"/link"))
	check(t, os.Mkdir(dir+"/folder", 0o777))
	for _, name := range []string{"new", "file", "link", "folder"} {
		var at *fs.PathError
		err := door.WriteNew(dir+"/"+name, []byte("x"), 0o600)
		if !errors.Is(err, fs.ErrExist) || !errors.As(err, &at) || at.Path != dir+"/"+name {
			t.Errorf("%s: %v", name, err)
		}
	}
	holds(t, dir+"/file", oldText)
	if err := door.WriteNew(dir+"/no/such", nil, 0o600); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	onlyNames(t, dir, "file", "folder", "link", "new")
	nothingPending(t)
}

// TestWriteNewFaultAtN makes every call of the system fail in turn: the file is whole or
// not there, except for a disk that dies in the middle.
func TestWriteNewFaultAtN(t *testing.T) { faultyWriteNew(t, door.System()) }

func faultyWriteNew(t *testing.T, disk door.Disk) {
	t.Helper()
	for n := 1; ; n++ {
		dir := t.TempDir()
		faults := &doortest.Faults{At: n, Err: errDisk, Short: n%2 == 0}
		restore := door.Use(faults.Disk(disk))
		err := door.WriteNew(dir+"/out", []byte(newText), 0o600)
		restore()
		judgeFault(t, dir+"/out", false, faults, err)
		if faults.Failed() == "" {
			break
		}
	}
}

// noLinks is a disk of a file system without hard links.
type noLinks struct{ door.Disk }

func (noLinks) Link(_, to string) error {
	return &os.LinkError{Op: "link", New: to, Err: syscall.EPERM}
}

// TestWriteNewWithoutLinks checks that a new file is also written atomically without hard links, and that an existing
// one stays.
func TestWriteNewWithoutLinks(t *testing.T) {
	disk := noLinks{door.System()}
	faultyWriteNew(t, disk)
	defer door.Use(disk)()
	name := t.TempDir() + "/new"
	check(t, door.WriteNew(name, []byte(newText), 0o600))
	if err := door.WriteNew(name, []byte("x"), 0o600); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	holds(t, name, newText)
	nothingPending(t)
}

// TestMakeFolder makes a folder with those above it, once, and not where a file is.
func TestMakeFolder(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		check(t, door.MakeFolder(dir+"/a/b"))
	}
	check(t, door.WriteNew(dir+"/a/b/new", []byte(newText), 0o600))
	var at *fs.PathError
	err := door.MakeFolder(dir + "/a/b/new")
	if !errors.Is(err, syscall.ENOTDIR) || !errors.As(err, &at) || at.Path != dir+"/a/b/new" {
		t.Error(err)
	}
}
