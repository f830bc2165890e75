package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs" // gs://
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"  // s3://

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/walk"
)

// store is where logs lie and reports go.
type store interface {
	// list returns what a pattern stands for. Its error is one that another try may not meet.
	list(ctx context.Context, pattern string) ([]found, error)
	open(ctx context.Context, name string) (source, error)
	// read opens a file that a job wrote. Its error wraps fs.ErrNotExist for one that is not there.
	read(ctx context.Context, name string) (io.ReadCloser, error)
	// write writes a file in one step: it is there as a whole, or not at all.
	write(ctx context.Context, name string, fill func(io.Writer) error) error
}

// found is a name, or why what it names is not read.
type found struct{ name, refused string }

// source is a log that was opened.
type source struct {
	io.ReadCloser
	folder *door.Folder // around the log; nil: it has none
}

func (s source) close() {
	_ = s.Close() // opened for reading: nothing can be lost
	if s.folder != nil {
		_ = s.folder.Close()
	}
}

// refusedError says that a log cannot be read, now or later.
type refusedError struct{ error }

const separator = "://"

// objectStores are the schemes of the stores that Beam's own file systems reach.
var objectStores = []string{"s3", "gs"}

// knownScheme refuses a name that no store is there for.
func knownScheme(name string) error {
	if scheme, _, ok := strings.Cut(name, separator); ok && !slices.Contains(objectStores, scheme) {
		return fmt.Errorf("%q: no store is known for %s%s; expected a path, s3:// or gs://", name, scheme, separator)
	}
	return nil
}

// storeOf is the store that a name is of.
func storeOf(name string) store {
	if scheme, _, ok := strings.Cut(name, separator); ok {
		return objects{scheme}
	}
	return local{}
}

// below is the name of a file in a folder of a store.
func below(folder, name string) string { return strings.TrimSuffix(folder, "/") + "/" + name }

// local is the file system of the machine that a worker runs on.
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

// open opens a regular file. The engine opens it on any of its machines and more than once:
// pipes and devices cannot be that.
func (local) open(ctx context.Context, name string) (source, error) {
	path := filepath.FromSlash(name)
	f, err := door.NamedFile(ctx, path)
	if err != nil {
		return source{}, refusedError{walk.Plain(err)}
	}
	folder, err := door.Open(filepath.Dir(path))
	if err != nil {
		_ = f.Close() // opened for reading: nothing can be lost
		return source{}, refusedError{fmt.Errorf("cannot open the folder of %q: %w", name, walk.Plain(err))}
	}
	return source{f, folder}, nil
}

func (local) read(ctx context.Context, name string) (io.ReadCloser, error) {
	return door.NamedFile(ctx, name)
}

func (local) write(ctx context.Context, name string, fill func(io.Writer) error) error {
	if err := door.MakeFolder(filepath.Dir(name)); err != nil {
		return err
	}
	out, err := door.Create(ctx, name, 0o644)
	if err != nil {
		return err
	}
	defer out.Discard()
	if err := fill(out); err != nil {
		return err
	}
	return out.Commit()
}

// objects is an object store, by its scheme.
type objects struct{ scheme string }

// systems are the file systems of Beam that were asked for. Making one reads credentials,
// and they are safe for concurrent use, so each is made once.
var systems struct {
	sync.Mutex
	known map[string]filesystem.Interface
}

func (o objects) system(ctx context.Context) (filesystem.Interface, error) {
	systems.Lock()
	defer systems.Unlock()
	if known := systems.known[o.scheme]; known != nil {
		return known, nil
	}
	made, err := filesystem.New(context.WithoutCancel(ctx), o.scheme+separator)
	if err != nil {
		return nil, err
	}
	if systems.known == nil {
		systems.known = map[string]filesystem.Interface{}
	}
	systems.known[o.scheme] = made
	return made, nil
}

func (o objects) list(ctx context.Context, pattern string) (all []found, err error) {
	system, err := o.system(ctx)
	if err != nil {
		return nil, err
	}
	names, err := system.List(ctx, pattern)
	if err != nil {
		return nil, fmt.Errorf("cannot list %q: %w", pattern, err)
	}
	for _, name := range names {
		all = append(all, found{name: name})
	}
	if len(names) == 0 {
		all = []found{{pattern, fmt.Sprintf("nothing matches %q", pattern)}}
	}
	return all, nil
}

// open opens an object. It has no folder: what lies beside a reasoning trace is not read.
func (o objects) open(ctx context.Context, name string) (source, error) {
	r, err := o.reader(ctx, name)
	return source{r, nil}, err
}

func (o objects) reader(ctx context.Context, name string) (io.ReadCloser, error) {
	system, err := o.system(ctx)
	if err != nil {
		return nil, err
	}
	return system.OpenRead(ctx, name)
}

// read asks the list first: the errors of the stores do not say that nothing is there.
func (o objects) read(ctx context.Context, name string) (io.ReadCloser, error) {
	system, err := o.system(ctx)
	if err != nil {
		return nil, err
	}
	names, err := system.List(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("cannot list %q: %w", name, err)
	}
	if !slices.Contains(names, name) {
		return nil, fmt.Errorf("%q: %w", name, fs.ErrNotExist)
	}
	return system.OpenRead(ctx, name)
}

// write writes an object, which stores show when it is whole. What could not be filled is
// given up by the end of its context, so that half of it is never shown.
func (o objects) write(ctx context.Context, name string, fill func(io.Writer) error) error {
	system, err := o.system(ctx)
	if err != nil {
		return err
	}
	writing, giveUp := context.WithCancel(ctx)
	defer giveUp()
	w, err := system.OpenWrite(writing, name)
	if err != nil {
		return err
	}
	if err := fill(w); err != nil {
		giveUp()
		return errors.Join(err, w.Close())
	}
	return w.Close()
}
