// Package door opens files to read, and is the one place that does; and it
// replaces files of the user, see Output.
//
// What the user names (an operand, the value of a flag) may be a link, a pipe or a device:
// see Named. What a folder leads to comes from nobody that vouches for it: a Folder opens
// regular files below it. The system refuses links that lead out of the folder, absolute
// ones among them, and no open waits on a pipe or a device.
package door

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/cupel-dev/cupel/internal/say"
)

// Folder is the files below one folder. It is safe for concurrent use.
type Folder struct {
	dir  string // as the user knows it
	root Root

	mu     sync.Mutex
	shared int             // Closes that are still to come before the last one
	recent map[string]Root // folders below it that files were opened in
	order  []string        // … the oldest first
}

// maxFolders bounds the folders that stay open: what is read one after another lies in
// one or two.
const maxFolders = 16

// Open opens a folder. The caller closes it.
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

// Sub opens a folder below this one. The caller closes it.
func (d *Folder) Sub(name string) (*Folder, error) {
	root, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, d.explain(name, err)
	}
	return newFolder(d.path(name), root), nil
}

// path is the name of a file below the folder as the user knows it.
func (d *Folder) path(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }

// Open opens a file to read. Name is slash-separated and below the folder. It does not
// wait for the other end of a named pipe: the caller looks at what it got.
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
	return root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// File opens a regular file to read. Everything else that may stand there is refused
// unopened; an error names the file as the user knows it.
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
	return regular(f, d.path(name)) // it may have been replaced between the two calls
}

// Unlinked is File for one that is to be removed by its name: a link is refused, too.
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

// Text is File for a text: one that is compressed is a *source.CompressedError.
func (d *Folder) Text(name string) (File, error) { return d.TextOr(name) }

// TextOr is Text for a reader that knows compressed formats.
func (d *Folder) TextOr(name string, known ...string) (File, error) {
	f, err := d.File(name)
	if err != nil {
		return nil, err
	}
	return text(f, d.path(name), known)
}

// Stat describes a file, over links inside the folder. Its error is that of File.
func (d *Folder) Stat(name string) (fs.FileInfo, error) {
	info, err := reach(d, name, Root.Stat)
	if err != nil {
		return nil, d.explain(name, err)
	}
	return info, nil
}

// reach does what is asked for with a file, through the open folder that it lies in.
func reach[T any](d *Folder, name string, do func(Root, string) (T, error)) (T, error) {
	if folder := d.near(path.Dir(name)); folder != nil {
		if found, err := do(folder, path.Base(name)); err == nil {
			return found, nil
		}
		// The file may be a link that leaves its folder, but not this one, and the folder
		// may have been closed for another: ask this one.
	}
	return do(d.root, name)
}

// near returns an open folder below this one, so that its files are reached without the
// way to it; nil when there is none.
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

// Share returns the folder for another user, who closes it too.
func (d *Folder) Share() *Folder {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shared++
	return d
}

// Close closes the folder, when the last of its users does. Files that were opened in it
// stay open.
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
