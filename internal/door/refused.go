package door

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/cupel-dev/cupel/internal/say"
)

// RefusedError is the reason why an existing file is not opened. It is wrapped in an *fs.PathError.
type RefusedError struct{ Why string }

func (e *RefusedError) Error() string { return e.Why }

func refused(path, why string) error {
	return &fs.PathError{Op: "open", Path: path, Err: &RefusedError{why}}
}

func regular(f File, path string) (File, error) {
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() {
		return f, nil
	}
	_ = f.Close() // opened for reading: nothing can be lost
	if err != nil {
		return nil, err
	}
	return nil, refused(path, say.Irregular(info.Mode()))
}

// explain adds the user's path and the reason to an error.
func (d *Folder) explain(name string, err error) error {
	path := d.path(name)
	info, unknown := d.Lstat(name)
	link := unknown == nil && info.Mode()&fs.ModeSymlink != 0
	var errno syscall.Errno
	switch {
	case !errors.As(err, &errno): // os.Root's own error, not the system's
		return refused(path, fmt.Sprintf("the path leads out of %q through a symbolic link, which is not followed", d.dir))
	case errors.Is(err, syscall.ELOOP):
		return refused(path, "the symbolic link leads to itself")
	case errors.Is(err, fs.ErrNotExist) && link:
		return refused(path, "the symbolic link points to a file that does not exist")
	}
	return &fs.PathError{Op: "open", Path: path, Err: errno}
}

// Absent reports whether err means that the name does not exist, not even as a link.
func Absent(err error) bool {
	var refused *RefusedError
	return errors.Is(err, fs.ErrNotExist) && !errors.As(err, &refused)
}
