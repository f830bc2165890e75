package reasoning

import (
	"errors"
	"io/fs"
	"strings"
)

// cleanPath checks a content_path by its text alone and returns it without "." and
// empty segments. why is what makes it unsafe, "" when nothing does.
func cleanPath(path string) (clean, why string) {
	switch {
	case strings.ContainsRune(path, 0):
		return "", "it contains a NUL byte"
	case strings.ContainsRune(path, '\\'):
		return "", "it contains a backslash; segments are separated by \"/\""
	case strings.HasPrefix(path, "/"):
		return "", "it is absolute"
	case len(path) >= 2 && path[1] == ':' && (path[0]|0x20) >= 'a' && (path[0]|0x20) <= 'z':
		return "", "it names a drive"
	}
	var kept []string
	for segment := range strings.SplitSeq(path, "/") {
		switch segment {
		case "..":
			return "", "it contains a \"..\" segment"
		case "", ".":
		default:
			kept = append(kept, segment)
		}
	}
	return strings.Join(kept, "/"), ""
}

// pathFault is why an evidence file cannot be read: a rule and what to say.
type pathFault struct {
	rule    string
	message string
}

// openEvidence opens a regular file. A fault is the trace's or the folder's; err
// means that the question could not be answered.
func openEvidence(files Files, name string) (f fs.File, size int64, fault *pathFault, err error) {
	if name == "" {
		return nil, 0, &pathFault{"path.not_regular", "content_path is the folder itself, expected a regular file"}, nil
	}
	f, err = files.Open(name)
	if err != nil {
		return nil, 0, openFault(files, name, err), nil
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		fault = &pathFault{"path.not_regular", "content_path is " + fileKind(info.Mode()) + ", expected a regular file"}
	}
	if err != nil || fault != nil {
		return nil, 0, fault, errors.Join(err, f.Close())
	}
	return f, info.Size(), nil, nil
}

// openFault tells a file that is not there from a link that leads out of the folder.
func openFault(files Files, name string, err error) *pathFault {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &pathFault{"path.missing_file", "the evidence file is not there"}
	case errors.Is(err, fs.ErrPermission):
		return &pathFault{"path.missing_file", "the evidence file cannot be read: permission denied"}
	}
	segments := strings.Split(name, "/")
	for i := range segments {
		info, lerr := files.Lstat(strings.Join(segments[:i+1], "/"))
		if lerr != nil {
			break
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return &pathFault{"path.symlink_escape", "content_path leads through a link out of the folder of the evidence"}
		}
	}
	var where *fs.PathError
	if errors.As(err, &where) {
		err = where.Err
	}
	return &pathFault{"path.missing_file", "the evidence file cannot be opened: " + err.Error()}
}

func fileKind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "no regular file"
}
