package provider

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/source"
)

// Kept counts the vectors in a cache folder.
type Kept struct {
	Vectors int // that can be found; one that several processes have asked for at once may count for each
	Bytes   int64
}

// KeptIn counts the vectors stored in a folder, possibly 0. It creates nothing and follows no link below the
// folder. The error is an *fs.PathError: the folder or file is unreadable, or the file has another format.
func KeptIn(ctx context.Context, dir string) (kept Kept, err error) {
	folder, err := door.Open(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return kept, nil
	case err != nil:
		return kept, err
	}
	defer func() { _ = folder.Close() }() // opened for reading: nothing can be lost
	f, err := folder.Unlinked(vectorsFile)
	switch {
	case door.Absent(err):
		return kept, nil
	case err != nil:
		return kept, err
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	info, err := f.Stat()
	if err != nil {
		return kept, err
	}
	kept.Bytes = info.Size()
	if err := vectorsFormat.Check(filepath.Join(dir, vectorsFile), f, kept.Bytes); err != nil {
		return kept, err
	}
	kept.Vectors, err = countVectors(ctx, io.NewSectionReader(f, 0, kept.Bytes))
	return kept, err
}

func countVectors(ctx context.Context, r io.Reader) (n int, err error) {
	for line, err := range source.NewReader(r, vectorsFormat.MaxLine).All() {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return n, err
		}
		if _, ok := keyIn(line.Bytes); ok && line.Terminated && !line.Long {
			n++
		}
	}
	return n, nil
}

// ClearKept removes the vectors that KeptIn counts and returns their number. The folder and other files are kept.
// Caches in use continue and store vectors again.
func ClearKept(ctx context.Context, dir string) (Kept, error) {
	kept, err := KeptIn(ctx, dir)
	if err != nil || kept.Bytes == 0 {
		return kept, err
	}
	return kept, door.Remove(filepath.Join(dir, vectorsFile))
}
