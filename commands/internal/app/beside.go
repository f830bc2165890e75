package app

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/cupel-dev/cupel/internal/decided"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
)

// Beside returns a function that opens files by their names relative to the folder of a file. They must be in that
// folder or below it. A file that is read to its end becomes part of the signed verdict, in the given role.
func Beside(ctx context.Context, file, role string) func(name string) (io.ReadCloser, error) {
	dir := filepath.Dir(file)
	return func(name string) (io.ReadCloser, error) {
		if !filepath.IsLocal(name) {
			return nil, errors.New("it is outside of the folder")
		}
		folder, err := door.Open(dir)
		if err != nil {
			return nil, say.Plain(err)
		}
		r, err := folder.Text(filepath.ToSlash(filepath.Clean(name)))
		if err != nil {
			_ = folder.Close() // opened for reading: nothing can be lost
			if at, ok := errors.AsType[*fs.PathError](err); ok {
				err = at.Err
			}
			return nil, say.Plain(err)
		}
		return besideFile{decided.Of(ctx).Reading(role, filepath.Join(dir, name), r), folder}, nil
	}
}

// besideFile also closes the folder.
type besideFile struct {
	io.ReadCloser
	folder *door.Folder
}

func (f besideFile) Close() error { return errors.Join(f.ReadCloser.Close(), f.folder.Close()) }
