package door

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"syscall"
)

// WriteNew writes a whole file as CreateNew and Commit do.
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

// CreateNew begins to write a file under a name where nothing stands, not even a link. Mode are
// its permissions, before the umask. Where something stands, now or at Commit, it stays as it
// is and the error is fs.ErrExist; after any other error nothing is left. The name is there once
// the content is on the disk, so that no crash and no signal leaves a part of it; where the file
// system has no hard links, a crash may leave an empty file. Each error is an *fs.PathError with
// that name.
func CreateNew(name string, mode fs.FileMode) (*Output, error) {
	switch _, err := system.Lstat(name); {
	case err == nil:
		return nil, named("create", name, fs.ErrExist)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, named("create", name, err)
	}
	tmp, f, err := createBeside(name, mode)
	if err != nil {
		return nil, named("create", name, err)
	}
	return &Output{name: name, target: name, fresh: true, tmp: tmp, file: f}, nil
}

// commitNew gives the file its name.
func (o *Output) commitNew() error {
	if err := o.appear(); err != nil {
		return named("create", o.name, err)
	}
	o.Discard()
	if err := system.SyncFolder(filepath.Dir(o.name)); err != nil {
		_ = system.Remove(o.name) // the first error says why
		return named("sync the folder of", o.name, err)
	}
	return nil
}

// appear gives the file its name, where nothing has it.
func (o *Output) appear() error {
	err := system.Link(o.tmp, o.target)
	if !slices.ContainsFunc([]error{syscall.EPERM, syscall.ENOSYS, errors.ErrUnsupported}, func(e error) bool { return errors.Is(err, e) }) {
		return err
	}
	return undisturbed(o.occupy)
}

// occupy takes a name, so that others are kept from it, and then puts the file there.
func (o *Output) occupy() error {
	f, err := system.Create(o.target, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Close(), system.Rename(o.tmp, o.target)); err != nil {
		_ = system.Remove(o.target) // the first error says why
		return err
	}
	return nil
}
