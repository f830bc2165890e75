package door

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// invalidName is the system's error for a name that no file can have, such as one with a "*".
const invalidName syscall.Errno = 123

// nowhere says of such a name what other systems say of it: no file is there.
func nowhere(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) && errors.Is(at.Err, invalidName) {
		return &fs.PathError{Op: at.Op, Path: at.Path, Err: syscall.ERROR_FILE_NOT_FOUND}
	}
	return err
}

// Rename puts a file in the place of one that may be open, if it was opened below its folder: the system asks
// who opens a file whether it may be removed and replaced meanwhile, and the library says yes there alone.
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

// Ledger opens the file below its folder: whoever holds it replaces it, too.
func (realDisk) Ledger(name string, mode fs.FileMode) (File, error) {
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	f, err := root.OpenFile(filepath.Base(name), ledgerFlags, mode)
	return opened(f, errors.Join(err, root.Close()))
}

// SyncFolder does nothing: the system does not let a folder be put on the disk, and keeps names in a
// journal of its own.
func (realDisk) SyncFolder(string) error { return nil }
