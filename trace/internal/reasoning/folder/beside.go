package folder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
)

// RefusedError is the reason why a companion file is not read. The trace cannot be judged without it.
type RefusedError struct {
	Name string // for people
	Err  error
}

func (e *RefusedError) Error() string { return fmt.Sprintf("cannot read %q: %v", e.Name, e.Err) }

func (e *RefusedError) Unwrap() error { return e.Err }

// Beside opens a companion file of a trace. Links out of the folder or dangling, pipes, devices,
// compressed texts and system errors are a *RefusedError that names the file as shown. Directories
// and unreadable files fail when opened or read.
func Beside(files Files, name, shown string) (fs.File, error) {
	refused := func(why error) error { return &RefusedError{shown, why} }
	info, unknown := files.Lstat(name)
	link := unknown == nil && info.Mode()&fs.ModeSymlink != 0
	if unknown == nil && !link && !readable(info) {
		return nil, refused(irregular(info))
	}
	f, err := files.Open(name)
	switch {
	case err != nil && link && !errors.Is(err, fs.ErrPermission):
		return nil, refused(errors.New("it is a symbolic link out of the folder or to nothing, which is not followed"))
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return nil, err
	case err != nil:
		return nil, refused(unnamed(err))
	}
	if info, err = f.Stat(); err != nil {
		err = refused(unnamed(err))
	} else if !readable(info) {
		err = refused(irregular(info))
	}
	if at, ok := f.(io.ReaderAt); ok && err == nil && !info.IsDir() {
		if packed := source.CompressedAt(at, 0); packed != nil {
			err = refused(packed)
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if info.IsDir() {
		return f, nil
	}
	return besideFile{f, shown}, nil
}

type besideFile struct {
	fs.File
	shown string
}

func (f besideFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	if err != nil && err != io.EOF {
		err = &RefusedError{f.shown, unnamed(err)}
	}
	return n, err
}

// unnamed removes the name of the file from an error, because its message already has it.
func unnamed(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

func readable(info fs.FileInfo) bool { return info.IsDir() || info.Mode().IsRegular() }

func irregular(info fs.FileInfo) error {
	return errors.New(say.Irregular(info.Mode()))
}
