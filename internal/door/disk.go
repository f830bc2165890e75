package door

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// disk is what replacing a file asks of the system; tests make its calls fail.
type disk interface {
	Create(name string, mode fs.FileMode) (file, error)
	Rename(from, to string) error
	Remove(name string) error
	SyncFolder(name string) error
}

// file is an open file of a disk.
type file interface {
	io.WriteCloser
	Chown(uid, gid int) error
	Chmod(mode fs.FileMode) error
	Sync() error
}

var system disk = realDisk{}

// realDisk is the system's own.
type realDisk struct{}

func (realDisk) Create(name string, mode fs.FileMode) (file, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (realDisk) Rename(from, to string) error { return os.Rename(from, to) }
func (realDisk) Remove(name string) error     { return os.Remove(name) }

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
