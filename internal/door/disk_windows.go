package door

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// invalidName is the system's error for an impossible name, such as "*".
const invalidName syscall.Errno = 123

// nowhere converts the error to fs.ErrNotExist, as on other systems.
func nowhere(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) && errors.Is(at.Err, invalidName) {
		return &fs.PathError{Op: at.Op, Path: at.Path, Err: syscall.ERROR_FILE_NOT_FOUND}
	}
	return err
}

// Rename replaces a file that can be open. It uses the folder's root, because only files opened that way can be
// replaced.
func (realDisk) Rename(from, to string) error {
	dir := filepath.Dir(from)
	if dir != filepath.Dir(to) {
		return os.Rename(from, to)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	return errors.Join(root.Rename(filepath.Base(from), filepath.Base(to)), root.Close())
}

// Ledger opens the file through its folder's root, so that others can replace it.
func (realDisk) Ledger(name string, mode fs.FileMode) (File, error) {
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	f, err := root.OpenFile(filepath.Base(name), ledgerFlags, mode)
	return opened(f, errors.Join(err, root.Close()))
}

// SyncFolder does nothing, because Windows cannot flush folders and journals names itself.
func (realDisk) SyncFolder(string) error { return nil }
