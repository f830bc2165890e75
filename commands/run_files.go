package commands

import (
	"io/fs"
	"os"
	"syscall"
)

// runFiles are the files below one folder, for readers that must never leave it. The
// system refuses links that lead out, absolute ones among them.
type runFiles struct{ root *os.Root }

func openRunFiles(dir string) (*runFiles, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &runFiles{root}, nil
}

// Open opens a file to read. It does not wait for the other end of a named pipe.
func (r *runFiles) Open(name string) (fs.File, error) {
	f, err := r.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Lstat describes a file without following a link.
func (r *runFiles) Lstat(name string) (fs.FileInfo, error) { return r.root.Lstat(name) }

func (r *runFiles) Close() error { return r.root.Close() }
