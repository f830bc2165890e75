package commands

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"sync"
	"syscall"
)

// runFiles are the files below one folder, for readers that must never leave it. The
// system refuses links that lead out, absolute ones among them.
type runFiles struct {
	root *os.Root

	mu     sync.Mutex
	recent map[string]*os.Root // folders that files were opened in
}

// maxFolders bounds the folders that stay open: evidence lies in one or two.
const maxFolders = 16

func openRunFiles(dir string) (*runFiles, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &runFiles{root: root, recent: map[string]*os.Root{}}, nil
}

// Open opens a file to read. It does not wait for the other end of a named pipe.
func (r *runFiles) Open(name string) (fs.File, error) {
	if folder := r.folder(path.Dir(name)); folder != nil {
		if f, err := openToRead(folder, path.Base(name)); err == nil {
			return f, nil
		}
		// The file may be a link that leaves its folder, but not the run: ask the run.
	}
	f, err := openToRead(r.root, name)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func openToRead(root *os.Root, name string) (*os.File, error) {
	return root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// folder returns an open folder of the run, so that its files open without the way
// to it; nil when there is none to keep.
func (r *runFiles) folder(dir string) *os.Root {
	if dir == "." {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if known, ok := r.recent[dir]; ok || len(r.recent) == maxFolders {
		return known
	}
	folder, err := r.root.OpenRoot(dir)
	if err != nil {
		return nil
	}
	r.recent[dir] = folder
	return folder
}

// Lstat describes a file without following a link.
func (r *runFiles) Lstat(name string) (fs.FileInfo, error) { return r.root.Lstat(name) }

func (r *runFiles) Close() error {
	errs := []error{r.root.Close()}
	for _, folder := range r.recent {
		errs = append(errs, folder.Close())
	}
	return errors.Join(errs...)
}
