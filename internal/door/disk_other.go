//go:build !windows

package door

import (
	"errors"
	"os"
	"syscall"
)

// nowhere is about names that no file can have: here there are none.
func nowhere(err error) error { return err }

// SyncFolder puts the names of a folder on the disk, where the file system knows how.
func (realDisk) SyncFolder(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	if err = f.Sync(); errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, f.Close())
}
