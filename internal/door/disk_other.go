//go:build !windows

package door

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// nowhere does nothing, because every name can exist on this system.
func nowhere(err error) error { return err }

func (realDisk) Rename(from, to string) error { return os.Rename(from, to) }

func (realDisk) Ledger(name string, mode fs.FileMode) (File, error) {
	return opened(os.OpenFile(name, ledgerFlags|nonBlock, mode))
}

// SyncFolder flushes a folder's entries if the file system supports it.
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
