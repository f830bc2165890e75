package naive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
)

// Files opens the files of a folder. Names have no empty, "." or ".." segments.
type Files interface {
	Open(name string) (fs.File, error)
	Lstat(name string) (fs.FileInfo, error)
}

// Largest is the size of the largest manifest that is read.
const Largest = 1 << 20

// ErrLarge is the error for a manifest beyond Largest.
var ErrLarge = errors.New("the manifest is too large")

// open opens a regular file. rule is the broken rule if it cannot be read, err a system error.
func open(files Files, name string) (f fs.File, rule string, err error) {
	if name == "" {
		return nil, "path.not_regular", nil // the folder itself
	}
	f, err = files.Open(name)
	if err != nil {
		rule, err = closed(files, name, err)
		return nil, rule, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, "", errors.Join(err, f.Close())
	case !info.Mode().IsRegular():
		return nil, "path.not_regular", f.Close()
	}
	return f, "", nil
}

// closed distinguishes a missing file, a link out of the folder and a system error.
func closed(files Files, name string, err error) (rule string, _ error) {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return "path.missing_file", nil
	}
	from := 0 // of the segment
	for i := range len(name) + 1 {
		if i < len(name) && name[i] != '/' {
			continue
		}
		info, failed := files.Lstat(name[:i])
		switch {
		case i-from > longestName || errors.Is(failed, fs.ErrNotExist):
			return "path.missing_file", nil
		case failed != nil:
			return "", err
		case info.Mode()&fs.ModeSymlink != 0:
			return "path.symlink_escape", nil
		case i < len(name) && !info.IsDir():
			return "path.missing_file", nil
		}
		from = i + 1
	}
	return "", err
}

// longestName is the maximum length of a file name in bytes.
const longestName = 255

// sumOf hashes the bytes [from, to) of a file and returns their number. A negative to means the end of the file.
func (c *reasoningCheck) sumOf(files Files, name string, from, to int64) (digest string, size int64, rule string) {
	f, rule, err := open(files, name)
	if err != nil || rule != "" {
		c.fail(err)
		return "", 0, rule
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	h := sha256.New()
	if err = skip(f, from); err == nil {
		size, err = io.Copy(h, patient{c.ctx, upTo(f, from, to)})
	}
	c.fail(err)
	return hex.EncodeToString(h.Sum(nil)), size, ""
}

func skip(f fs.File, n int64) error {
	if s, ok := f.(io.Seeker); ok {
		_, err := s.Seek(n, io.SeekStart)
		return err
	}
	if _, err := io.CopyN(io.Discard, f, n); err != io.EOF {
		return err
	}
	return nil
}

func upTo(f fs.File, from, to int64) io.Reader {
	if to < 0 {
		return f
	}
	return io.LimitReader(f, to-from)
}

// content reads a file in the run's folder. there is false if it does not exist.
func (c *reasoningCheck) content(name string) (data []byte, there bool) {
	if c.run.Folder == nil {
		return nil, false
	}
	f, rule, err := open(c.run.Folder, name)
	if err != nil || rule != "" {
		return nil, false
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	if data, err = io.ReadAll(io.LimitReader(patient{c.ctx, f}, Largest+1)); err != nil {
		c.fail(c.ctx.Err())
		return nil, true // exists but is not a manifest
	}
	if len(data) > Largest {
		c.fail(ErrLarge)
	}
	return data, true
}

// fail keeps the first error.
func (c *reasoningCheck) fail(err error) {
	if c.failed == nil {
		c.failed = err
	}
}

// patient reads until the context ends.
type patient struct {
	ctx context.Context
	r   io.Reader
}

func (p patient) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.r.Read(b)
}
