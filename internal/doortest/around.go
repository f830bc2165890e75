package doortest

import (
	"io/fs"

	"github.com/cupel-dev/cupel/internal/door"
)

// Around returns a disk that calls do immediately before and after each change, where a signal could arrive. It is
// not safe for concurrent use.
func Around(d door.Disk, do func()) door.Disk { return momentDisk{d, do} }

func around[T any](do func(), change func() (T, error)) (T, error) {
	do()
	defer do()
	return change()
}

func aroundErr(do func(), change func() error) error {
	do()
	defer do()
	return change()
}

type momentDisk struct {
	door.Disk
	do func()
}

func (d momentDisk) Create(name string, mode fs.FileMode) (door.File, error) {
	f, err := around(d.do, func() (door.File, error) { return d.Disk.Create(name, mode) })
	if err != nil {
		return nil, err
	}
	return momentFile{f, d.do}, nil
}

func (d momentDisk) Rename(from, to string) error {
	return aroundErr(d.do, func() error { return d.Disk.Rename(from, to) })
}

func (d momentDisk) Link(from, to string) error {
	return aroundErr(d.do, func() error { return d.Disk.Link(from, to) })
}

func (d momentDisk) Remove(name string) error {
	return aroundErr(d.do, func() error { return d.Disk.Remove(name) })
}

func (d momentDisk) SyncFolder(name string) error {
	return aroundErr(d.do, func() error { return d.Disk.SyncFolder(name) })
}

type momentFile struct {
	door.File
	do func()
}

func (f momentFile) Write(p []byte) (int, error) {
	return around(f.do, func() (int, error) { return f.File.Write(p) })
}

func (f momentFile) Sync() error { return aroundErr(f.do, f.File.Sync) }

func (f momentFile) Close() error { return aroundErr(f.do, f.File.Close) }
