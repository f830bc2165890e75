package door

import (
	"errors"
	"os"
	"path/filepath"
)

// Temp is a file for what does not fit into memory, in the system's folder for temporary
// files (TMPDIR), which no other user can read. Its name is taken away as soon as it is
// open, where the system permits that, so that nothing is left behind however the process
// ends; elsewhere Close and deadly signals remove it.
//
// Write appends. Each error is an *fs.PathError with the file's name.
type Temp struct {
	name string
	file File
	tied bool // the name still stands
}

// NewTemp makes an empty file.
func NewTemp() (*Temp, error) {
	place := filepath.Join(os.TempDir(), "file")
	name, f, err := createBeside(place, 0o600)
	if err != nil {
		return nil, named("create", name, err)
	}
	t := &Temp{name: name, file: f, tied: true}
	if system.Remove(name) == nil {
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

// ReadAt reads what was written; io.EOF is behind its end.
func (t *Temp) ReadAt(b []byte, offset int64) (int, error) {
	return t.file.ReadAt(b, offset)
}

// Close gives the file up with all that it holds.
func (t *Temp) Close() error {
	err := t.file.Close()
	if t.tied {
		err = errors.Join(err, system.Remove(t.name))
		forget(t.name)
	}
	return named("close", t.name, err)
}
