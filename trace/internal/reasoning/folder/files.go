// Package folder reads the files that a trace refers to, only within one folder.
package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// Files opens the files of a folder by clean, slash-separated names. Implementations must not follow links out of
// the folder, and Open must not block on pipes or devices.
type Files interface {
	Open(name string) (fs.File, error)
	Lstat(name string) (fs.FileInfo, error)
}

// Fault is the reason why a file cannot be read: a rule and a message.
type Fault struct {
	Rule    rule.ID
	Message string
}

// Open opens a regular file by its clean path. fault is a fault of the trace or folder; err is a system error that
// leaves the question open.
func Open(files Files, name string) (f fs.File, size int64, fault *Fault, err error) {
	if name == "" {
		return nil, 0, &Fault{rule.PathNotRegular, "content_path is the folder itself, expected a regular file"}, nil
	}
	f, err = files.Open(name)
	if err != nil {
		fault, err = openFault(files, name, err)
		return nil, 0, fault, err
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

// Small reads a small file with few system calls, if supported. room returns a buffer of size+1 bytes or nil. If ok
// is false, use Open.
func Small(files Files, name string, room func(size int64) []byte) (data []byte, ok bool) {
	short, ok := files.(interface {
		Small(name string, room func(size int64) []byte) (data []byte, ok bool)
	})
	if !ok {
		return nil, false
	}
	return short.Small(name, room)
}

// maxSegment is the maximum length of a path segment in file systems, in bytes.
const maxSegment = 255

// openFault distinguishes missing, unreadable and escaping files from system errors.
func openFault(files Files, name string, err error) (*Fault, error) {
	missing := &Fault{rule.PathMissingFile, "the evidence file is missing"}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if other, differs := similar(files, name); other != "" {
			missing.Message += fmt.Sprintf(", but %s is, whose name differs only in %s: rename it, or use a file system that distinguishes case", say.Quoted(other), differs)
		}
		return missing, nil
	case errors.Is(err, fs.ErrPermission):
		return &Fault{rule.PathMissingFile, "the evidence file cannot be read: permission denied"}, nil
	}
	segments := strings.Split(name, "/")
	for i, segment := range segments {
		info, lerr := files.Lstat(strings.Join(segments[:i+1], "/"))
		switch {
		case errors.Is(lerr, fs.ErrNotExist), len(segment) > maxSegment:
			return missing, nil
		case lerr != nil:
			return nil, unnamed(err)
		case info.Mode()&fs.ModeSymlink != 0:
			return &Fault{rule.PathSymlinkEscape, "content_path leads out of the evidence folder through a symbolic link"}, nil
		case i < len(segments)-1 && !info.IsDir():
			return missing, nil
		}
	}
	return nil, unnamed(err)
}
