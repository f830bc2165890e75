package door

import (
	"errors"
	"io/fs"
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

// SyncFolder does nothing: the system does not let a folder be put on the disk, and keeps names in a
// journal of its own.
func (realDisk) SyncFolder(string) error { return nil }
