package door

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"syscall"
)

// WriteNew writes a whole file under a name where nothing stands, not even a link. Mode are
// its permissions, before the umask. Where something stands, it stays as it is and the error
// is fs.ErrExist; after any other error nothing is left. The name is there once the content is
// on the disk, so that no crash and no signal leaves a part of it; where the file system has no
// hard links, a crash may leave an empty file. Each error is an *fs.PathError with that name.
func WriteNew(name string, content []byte, mode fs.FileMode) error {
	tmp, f, err := createBeside(name, mode)
	if err != nil {
		return named("create", name, err)
	}
	o := &Output{name: name, target: name, tmp: tmp, file: f}
	defer o.Discard()
	if _, err := o.Write(content); err != nil {
		return err
	}
	if err := o.Sync(); err != nil {
		return err
	}
	if err := o.appear(); err != nil {
		return named("create", name, err)
	}
	if err := system.SyncFolder(filepath.Dir(name)); err != nil {
		_ = system.Remove(name) // the first error says why
		return named("sync the folder of", name, err)
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
