package commands

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cupel-dev/cupel/internal/walk"
)

// replaceFile writes a file through a temporary one beside it, so that a reader sees
// the old content or the new, even after a crash.
func replaceFile(name string, content []byte, mode fs.FileMode) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), ".cupel-*")
	if err != nil {
		return walk.Plain(err)
	}
	_, err = tmp.Write(content)
	err = errors.Join(err, tmp.Chmod(mode), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		return errors.Join(walk.Plain(err), os.Remove(tmp.Name()))
	}
	return nil
}
