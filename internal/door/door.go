// Package door opens what a folder leads to, and nothing else: names below it that come
// from a file nobody vouches for. The system refuses links that lead out of the folder,
// absolute ones among them, and no open waits on a pipe or a device.
package door

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"sync"
	"syscall"
)

// Folder is the files below one folder. It is safe for concurrent use.
type Folder struct {
	root *os.Root

	mu     sync.Mutex
	recent map[string]*os.Root // folders below it that files were opened in
}

// maxFolders bounds the folders that stay open: evidence lies in one or two.
const maxFolders = 16

// Open opens a folder. The caller closes it.
func Open(dir string) (*Folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Folder{root: root, recent: map[string]*os.Root{}}, nil
}

// Open opens a file to read. Name is slash-separated and below the folder. It does not
// wait for the other end of a named pipe.
func (d *Folder) Open(name string) (fs.File, error) {
	if folder := d.folder(path.Dir(name)); folder != nil {
		if f, err := openToRead(folder, path.Base(name)); err == nil {
			return f, nil
		}
		// The file may be a link that leaves its folder, but not this one: ask this one.
	}
	f, err := openToRead(d.root, name)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func openToRead(root *os.Root, name string) (*os.File, error) {
	return root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// folder returns an open folder below this one, so that its files open without the way
// to it; nil when there is none to keep.
func (d *Folder) folder(dir string) *os.Root {
	if dir == "." {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if known, ok := d.recent[dir]; ok || len(d.recent) == maxFolders {
		return known
	}
	folder, err := d.root.OpenRoot(dir)
	if err != nil {
		return nil
	}
	d.recent[dir] = folder
	return folder
}

// Lstat describes a file without following a link.
func (d *Folder) Lstat(name string) (fs.FileInfo, error) { return d.root.Lstat(name) }

// Close closes the folder. Files that were opened in it stay open.
func (d *Folder) Close() error {
	errs := []error{d.root.Close()}
	for _, folder := range d.recent {
		errs = append(errs, folder.Close())
	}
	return errors.Join(errs...)
}
