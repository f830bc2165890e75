package door

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"syscall"
)

// WriteNew writes a whole file with CreateNew and Commit.
func WriteNew(name string, content []byte, mode fs.FileMode) error {
	o, err := CreateNew(name, mode)
	if err != nil {
		return err
	}
	defer o.Discard()
	if _, err := o.Write(content); err != nil {
		return err
	}
	return o.Commit()
}

// CreateNew starts writing a file that must not exist; a link counts as existing. mode is its permissions before
// umask. If the name exists, now or at Commit, the error is fs.ErrExist; other errors leave no file. The name appears
// once the content is on disk, which protects against partial files; without hard links a crash can leave an empty
// file. Errors are *fs.PathError with that name.
func CreateNew(name string, mode fs.FileMode) (*Output, error) {
	switch _, err := system.Lstat(name); {
	case err == nil:
		return nil, named("create", name, fs.ErrExist)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, named("create", name, err)
	}
	o := &Output{name: name, target: name, fresh: true}
	if err := o.createTemporary(mode); err != nil {
		return nil, named("create", name, err)
	}
	return o, nil
}

// commitNew gives the file its final name.
func (o *Output) commitNew() error {
	if err := o.appear(); err != nil {
		return named("create", o.name, err)
	}
	o.Discard()
	if err := system.SyncFolder(filepath.Dir(o.name)); err != nil {
		_ = system.Remove(o.name) // the first error is the cause
		return named("sync the folder of", o.name, err)
	}
	return nil
}

// appear links the file to its name unless that exists.
func (o *Output) appear() error {
	err := system.Link(o.tmp, o.target)
	if !slices.ContainsFunc([]error{syscall.EPERM, syscall.ENOSYS, errors.ErrUnsupported}, func(e error) bool { return errors.Is(err, e) }) {
		return err
	}
	return undisturbed(o.occupy)
}

// occupy creates the name exclusively, then renames the file over it.
func (o *Output) occupy() error {
	f, err := system.Create(o.target, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Close(), system.Rename(o.tmp, o.target)); err != nil {
		_ = system.Remove(o.target) // the first error is the cause
		return err
	}
	return nil
}
