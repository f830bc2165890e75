package door

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Temp is a private temporary file (in TMPDIR) for data that exceeds memory. It is unlinked at once if the system
// permits it; elsewhere Close and deadly signals remove it. Write appends. Errors are *fs.PathError with the file's
// name.
type Temp struct {
	name string
	file File
	tied bool // not unlinked yet
}

// NewTemp creates an empty file.
func NewTemp() (*Temp, error) {
	place := filepath.Join(os.TempDir(), "file")
	name, f, err := createBeside(place, 0o600)
	if err != nil {
		return nil, named("create", name, err)
	}
	t := &Temp{name: name, file: f, tied: true}
	if err := system.Remove(name); err == nil || errors.Is(err, fs.ErrNotExist) {
		forget(name)
		t.tied = false
	}
	return t, nil
}

// Write appends to the file.
func (t *Temp) Write(b []byte) (int, error) {
	n, err := t.file.Write(b)
	return n, named("write", t.name, err)
}

func (t *Temp) ReadAt(b []byte, offset int64) (int, error) {
	return t.file.ReadAt(b, offset)
}

// Close closes and removes the file.
func (t *Temp) Close() error {
	err := t.file.Close()
	if t.tied {
		err = errors.Join(err, system.Remove(t.name))
		forget(t.name)
	}
	return named("close", t.name, err)
}
