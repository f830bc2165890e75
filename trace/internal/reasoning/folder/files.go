// Package folder reads the files that a trace leads to, below one folder and never
// outside it.
package folder

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// Files gives access to the files below one folder. Names are slash-separated and
// clean: no empty, "." or ".." segments. An implementation must refuse to follow a
// link out of the folder, and Open must not wait on a pipe or a device.
type Files interface {
	Open(name string) (fs.File, error)
	Lstat(name string) (fs.FileInfo, error)
}

// Fault is why a file cannot be read: a rule and what to say.
type Fault struct {
	Rule    rule.ID
	Message string
}

// Open opens a regular file by its clean path. A fault is the trace's or the folder's;
// err means that the question could not be answered.
func Open(files Files, name string) (f fs.File, size int64, fault *Fault, err error) {
	if name == "" {
		return nil, 0, &Fault{rule.PathNotRegular, "content_path is the folder itself, expected a regular file"}, nil
	}
	f, err = files.Open(name)
	if err != nil {
		return nil, 0, openFault(files, name, err), nil
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		fault = &Fault{rule.PathNotRegular, "content_path is " + say.FileKind(info.Mode()) + ", expected a regular file"}
	}
	if err != nil || fault != nil {
		return nil, 0, fault, errors.Join(err, f.Close())
	}
	return f, info.Size(), nil, nil
}

// openFault tells a file that is not there from a link that leads out of the folder.
func openFault(files Files, name string, err error) *Fault {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Fault{rule.PathMissingFile, "the evidence file is not there"}
	case errors.Is(err, fs.ErrPermission):
		return &Fault{rule.PathMissingFile, "the evidence file cannot be read: permission denied"}
	}
	segments := strings.Split(name, "/")
	for i := range segments {
		info, lerr := files.Lstat(strings.Join(segments[:i+1], "/"))
		if lerr != nil {
			break
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return &Fault{rule.PathSymlinkEscape, "content_path leads through a link out of the folder of the evidence"}
		}
	}
	var where *fs.PathError
	if errors.As(err, &where) {
		err = where.Err
	}
	return &Fault{rule.PathMissingFile, "the evidence file cannot be opened: " + err.Error()}
}
