// Package door is the only place that opens files for reading, and it replaces files of the user (see Output).
//
// Paths that the user names can be links, pipes or devices (see Named). Paths found inside a folder are untrusted:
// Folder opens only regular files, follows no link out of the folder and never blocks on a pipe or device.
package door

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"

	"github.com/cupel-dev/cupel/internal/say"
)

// Folder accesses the files below one folder. It is safe for concurrent use.
type Folder struct {
	dir  string // as the user named it
	root Root

	mu     sync.Mutex
	shared int             // number of Close calls before the last one
	recent map[string]Root // open subfolders
	order  []string        // their names, oldest first
}

// maxFolders limits the cache of open subfolders: consecutive reads use one or two.
const maxFolders = 16

// Open opens a folder. The caller must close it.
func Open(dir string) (*Folder, error) {
	root, err := system.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return newFolder(dir, root), nil
}

func newFolder(dir string, root Root) *Folder {
	return &Folder{dir: dir, root: root, recent: map[string]Root{}}
}

// Sub opens a subfolder. The caller must close it.
func (d *Folder) Sub(name string) (*Folder, error) {
	root, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, d.explain(name, err)
	}
	return newFolder(d.path(name), root), nil
}

func (d *Folder) path(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }

// Open opens a file for reading by its slash-separated name below the folder. It does not block on
// a named pipe; the caller must check the file's type.
func (d *Folder) Open(name string) (fs.File, error) {
	f, err := d.open(name)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (d *Folder) open(name string) (File, error) {
	return reach(d, name, openToRead)
}

func openToRead(root Root, name string) (File, error) {
	return root.OpenFile(name, os.O_RDONLY|nonBlock, 0)
}

// File opens a regular file for reading and rejects anything else without opening it. Errors contain the path as
// the user gave it.
func (d *Folder) File(name string) (File, error) {
	info, err := d.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, refused(d.path(name), say.Irregular(info.Mode()))
	}
	f, err := d.open(name)
	if err != nil {
		return nil, d.explain(name, err)
	}
	return regular(f, d.path(name)) // it could have been replaced meanwhile
}

// Unlinked is File, but also rejects links, for files that are removed by name.
func (d *Folder) Unlinked(name string) (File, error) {
	info, err := d.Lstat(name)
	switch {
	case err != nil:
		return nil, d.explain(name, err)
	case !info.Mode().IsRegular():
		return nil, refused(d.path(name), say.Irregular(info.Mode()))
	}
	return d.File(name)
}

// Text is File for text. It returns a *source.CompressedError if the file is compressed.
func (d *Folder) Text(name string) (File, error) { return d.TextOr(name) }

// TextOr is Text for a reader that accepts some compressed formats.
func (d *Folder) TextOr(name string, known ...string) (File, error) {
	f, err := d.File(name)
	if err != nil {
		return nil, err
	}
	return text(f, d.path(name), known)
}

// Stat describes a file and follows links inside the folder. Errors are as for File.
func (d *Folder) Stat(name string) (fs.FileInfo, error) {
	info, err := reach(d, name, Root.Stat)
	if err != nil {
		return nil, d.explain(name, err)
	}
	return info, nil
}

// reach calls do on a file through the open subfolder that contains it.
func reach[T any](d *Folder, name string, do func(Root, string) (T, error)) (T, error) {
	if folder := d.near(path.Dir(name)); folder != nil {
		if found, err := do(folder, path.Base(name)); err == nil {
			return found, nil
		}
		// The link can leave the subfolder but not d, or the subfolder was closed: retry from d.
	}
	return do(d.root, name)
}

// near returns a cached open subfolder, or nil.
func (d *Folder) near(dir string) Root {
	if dir == "." {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if known, ok := d.recent[dir]; ok {
		return known
	}
	folder, err := d.root.OpenRoot(dir)
	if err != nil {
		return nil
	}
	if len(d.order) == maxFolders {
		_ = d.recent[d.order[0]].Close() // opened for reading: nothing can be lost
		delete(d.recent, d.order[0])
		d.order = d.order[1:]
	}
	d.recent[dir], d.order = folder, append(d.order, dir)
	return folder
}

// Lstat describes a file without following a link.
func (d *Folder) Lstat(name string) (fs.FileInfo, error) { return d.root.Lstat(name) }

// Share returns the folder for another user, who must also close it.
func (d *Folder) Share() *Folder {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shared++
	return d
}

// Close closes the folder on the last user's call. Files opened in it stay open.
func (d *Folder) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shared--; d.shared >= 0 {
		return nil
	}
	errs := []error{d.root.Close()}
	for _, folder := range d.recent {
		errs = append(errs, folder.Close())
	}
	return errors.Join(errs...)
}
