package door

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// WriteNew writes a whole file under a name where nothing stands, not even a link. Mode are
// its permissions, before the umask. Where something stands, it stays as it is and the error
// is fs.ErrExist; after any other error, and after a signal that ends the process, nothing
// is left. Each error is an *fs.PathError with that name.
func WriteNew(name string, content []byte, mode fs.FileMode) error {
	f, err := remember(name, func() (File, error) { return system.Create(name, mode) })
	if err != nil {
		return named("create", name, err)
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = system.SyncFolder(filepath.Dir(name))
	}
	if err != nil {
		_ = system.Remove(name) // the first error says why
	}
	forget(name)
	return named("write", name, err)
}
