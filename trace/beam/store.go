package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/unpack"
	"github.com/cupel-dev/cupel/internal/walk"
)

// store contains logs and reports. Its errors are transient, except a refusedError.
type store interface {
	// list returns the files that match a pattern, including refused ones.
	list(ctx context.Context, pattern string) ([]found, error)
	open(ctx context.Context, name string) (source, error)
	// read opens a file that a job wrote.
	read(ctx context.Context, name string) (io.ReadCloser, error)
	// write writes a file atomically.
	write(ctx context.Context, name string, fill func(io.Writer) error) error
	remove(ctx context.Context, name string) error
}

// found is a name and the reason if it is refused.
type found struct{ name, refused string }

// source is an open log that supports random access.
type source interface {
	io.ReadCloser
	io.ReaderAt
	Size() int64
	// folder returns the log's folder, or nil.
	folder() *door.Folder
}

// refusedError means that a log can never be read.
type refusedError struct{ error }

const separator = "://"

func knownScheme(name string) error {
	if scheme, _, ok := strings.Cut(name, separator); ok && !slices.Contains(objectStores, scheme) {
		return fmt.Errorf("%q: no store is known for %s%s; expected a path, s3:// or gs://", name, scheme, separator)
	}
	return nil
}

func storeOf(name string) store {
	if scheme, _, ok := strings.Cut(name, separator); ok {
		return objects{scheme}
	}
	return local{}
}

func below(folder, name string) string { return strings.TrimSuffix(folder, "/") + "/" + name }

// local is the file system of the worker's machine.
type local struct{}

func (local) list(ctx context.Context, pattern string) (all []found, err error) {
	if info, err := door.Stat(pattern); err == nil && info.IsDir() {
		return []found{{pattern, fmt.Sprintf("%q is a folder; name the logs in it with a pattern", pattern)}}, nil
	}
	inputs, err := walk.Expand(ctx, []string{pattern}, walk.Options{})
	for _, in := range inputs {
		refused := ""
		if err := in.Failed(); err != nil {
			refused = err.Error()
		}
		all = append(all, found{in.Name, refused})
	}
	return all, err
}

// open opens a regular file, possibly compressed. Pipes and devices are rejected, because engines open files
// repeatedly and on several machines.
func (local) open(ctx context.Context, name string) (source, error) {
	path := filepath.FromSlash(name)
	f, err := door.NamedFileOr(ctx, path, unpack.Formats...)
	if err != nil {
		return nil, refusedError{say.Plain(err)}
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close() // opened for reading: nothing can be lost
		return nil, refusedError{say.Plain(err)}
	}
	around, err := door.Open(filepath.Dir(path))
	if err != nil {
		_ = f.Close()
		return nil, refusedError{fmt.Errorf("cannot open the folder of %q: %w", name, say.Plain(err))}
	}
	return localLog{f, info.Size(), around}, nil
}

type localLog struct {
	door.File
	size   int64
	around *door.Folder
}

func (l localLog) Size() int64          { return l.size }
func (l localLog) folder() *door.Folder { return l.around }

func (l localLog) Close() error {
	_ = l.around.Close() // opened for reading: nothing can be lost
	return l.File.Close()
}

func (local) read(ctx context.Context, name string) (io.ReadCloser, error) {
	return door.Named(ctx, filepath.FromSlash(name)) // no text: a column may begin with any bytes
}

func (local) write(ctx context.Context, name string, fill func(io.Writer) error) error {
	path := filepath.FromSlash(name)
	if err := door.MakeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	out, err := door.Create(ctx, path, 0o644)
	if err != nil {
		return err
	}
	defer out.Discard()
	if err := fill(out); err != nil {
		return err
	}
	return out.Commit()
}

func (local) remove(_ context.Context, name string) error {
	return door.Remove(filepath.FromSlash(name))
}
