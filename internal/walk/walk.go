// Package walk expands a command line's operands into an ordered list of inputs: files,
// directories, ** globs, named pipes and standard input.
//
// Explicit operands are always read, unless Options.ForceExclude is set. Directories are walked in name order. The
// walk skips dot folders and .gitignore matches, does not follow links to directories, and selects files by
// Options.Patterns and Options.Probe. A directory with Options.Marker is represented by that file.
//
// Walked and matched files must be regular files below the named folder; links out of it, pipes and
// devices are not opened.
//
// With Options.Changed the operands are changed files, as passed by a version control hook: they are treated like
// walked files, and a file inside a folder with Options.Marker represents that folder.
//
// An operand without inputs stays in the list as an input whose Open returns the reason.
package walk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
)

// Input is a file or stream to read.
type Input struct {
	Name     string // for reports, with forward slashes
	Path     string // for the system; "" for standard input
	Size     int64  // bytes; -1 if unknown (pipes, devices, standard input)
	Explicit bool   // named on the command line, not found by walking

	open   func(packed []string) (io.ReadCloser, error)
	packed []string                     // compressed formats read unchanged
	folder func() (*door.Folder, error) // nil: no folder
	empty  bool
	walked bool // regular file found by a walk
	failed error
}

// Failed returns the known reason why Open will fail, or nil.
func (in Input) Failed() error { return in.failed }

// Open opens the input. Its error is a complete sentence.
func (in Input) Open() (io.ReadCloser, error) { return in.open(in.packed) }

// Packed returns the input for a reader with other compressed formats than Options.Packed.
func (in Input) Packed(formats ...string) Input {
	in.packed = formats
	return in
}

// Folder opens the input's folder; nil for standard input and pipes. Walked inputs are opened
// through the walked folder. The caller must close it.
func (in Input) Folder() (*door.Folder, error) {
	if in.folder == nil {
		return nil, nil
	}
	return in.folder()
}

// Empty reports whether the input is a folder or pattern without inputs, or a deleted changed file;
// Open returns an EmptyError. Other missing files are not empty.
func (in Input) Empty() bool { return in.empty }

// ErrStdinTwice is the error for operands that name standard input twice.
var ErrStdinTwice = errors.New(`"-" (standard input) can be read only once: name it once`)

// EmptyError is the error for an operand without inputs: a folder, pattern or deleted changed file.
type EmptyError struct {
	Operand string
	Wanted  []string // file name patterns; nil for a pattern operand

	PassedOver int // matching files with other content
	Resembling int // of those, files that resemble the wanted content
	Excluded   int // excluded files and folders

	Gone bool // a changed file that is missing
}

func (e *EmptyError) Error() string {
	switch {
	case e.Gone:
		return (&AbsentError{e.Operand}).Error()
	case e.Resembling > 0:
		return fmt.Sprintf("found nothing to read in %q; skipped files that look similar: %d", e.Operand, e.Resembling)
	case e.Excluded > 0:
		return fmt.Sprintf("found nothing to read in %q; files and folders that are excluded: %d", e.Operand, e.Excluded)
	case e.PassedOver > 0:
		return fmt.Sprintf("found nothing to read in %q; skipped files of other formats: %d", e.Operand, e.PassedOver)
	case e.Wanted == nil:
		return fmt.Sprintf("nothing matches %q", e.Operand)
	}
	wanted := slices.DeleteFunc(slices.Clone(e.Wanted), func(p string) bool { return strings.Contains(p, "[") }) // names from log rotation
	return fmt.Sprintf("found no %s in %q", strings.Join(wanted, " or "), e.Operand)
}

// Options configures what a command reads.
type Options struct {
	Patterns []string             // base names to select, ignoring case, such as "*.jsonl"
	Probe    func(io.Reader) Look // also required of walked files; nil accepts all. Called concurrently
	Never    string               // base name that a walk always ignores, or ""
	Marker   string               // a directory with such a file is represented by it, or ""
	Inside   bool                 // but its files are also inputs
	Packed   []string             // compressed formats read unchanged, as named by package source

	Extensions []string // allowed after names that match Patterns, such as ".gz"

	Changed bool // the operands are changed files
	// PassedOver is called for each walked file that fails Probe, with its resemblance, and each
	// changed one not selected; can be nil.
	PassedOver func(name, resembles string)

	// Exclude returns why a configuration excludes a path, or ""; can be nil. It is not called for named operands
	// unless ForceExclude is set. Excluded is called once per excluded file or folder.
	Exclude      func(path string, isDir bool) (why string)
	ForceExclude bool
	Excluded     func(name, why string)

	Shard  Shard        // inputs to read; empty operands are in every shard
	Listed func(string) // called with the name of each input of any shard, before it is probed; can be nil
	Others func(Input)  // called for inputs of other shards, which are not probed; can be nil

	Jobs int // concurrent probes; 0 means one per core

	Stdin     io.Reader // read for "-"
	StdinName string    // its display name, default "-"
}

// Look is the result of probing a file.
type Look struct {
	Passes    bool   // the command reads it
	Resembles string // the probable intended format of a failing file, and why, or ""
}

// Passing returns a probe without resemblance.
func Passing(passes func(io.Reader) bool) func(io.Reader) Look {
	return func(r io.Reader) Look { return Look{Passes: passes(r)} }
}

// FromStdin returns standard input as an input. Waiting ends with ctx. packed is as in Options.
func FromStdin(ctx context.Context, r io.Reader, name string, packed ...string) Input {
	if name == "" {
		name = "-"
	}
	if r == nil {
		r = strings.NewReader("")
	}
	open := func(packed []string) (io.ReadCloser, error) { return door.StdinOr(ctx, r, packed...), nil }
	return Input{Name: name, Size: -1, Explicit: true, open: open, packed: packed}
}

// WithOpen returns the input with another function to open it.
func (in Input) WithOpen(open func() (io.ReadCloser, error)) Input {
	in.open = func([]string) (io.ReadCloser, error) { return open() }
	return in
}

type walker struct {
	ctx   context.Context
	opt   Options
	list  []Input
	shelf *shelf // opens found inputs

	left               int // paths excluded by Options.Exclude
	passed, resembling int // files that failed the probe, and those that resemble an input

	runs map[string]bool // folders around changed files, by absolute path: is it a run?
	told map[string]bool // skipped files, by absolute path, or left to another shard
	seen map[string]bool // inputs of changed files, by absolute path
}

// named adds a named file or the inputs of a named directory.
func (w *walker) named(path string, info fs.FileInfo) error {
	if info.IsDir() {
		return w.directory(path)
	}
	if w.opt.ForceExclude && w.excluded(path, false) {
		return nil
	}
	in := Input{Name: filepath.ToSlash(path), Path: path, Size: -1, Explicit: true, packed: w.opt.Packed}
	if info.Mode().IsRegular() {
		in.Size = info.Size()
		in.folder = func() (*door.Folder, error) { return door.Open(filepath.Dir(path)) }
	}
	in.open = func(packed []string) (io.ReadCloser, error) {
		f, err := door.NamedTextOr(w.ctx, path, packed...)
		return f, say.Plain(err)
	}
	w.list = append(w.list, in)
	return nil
}

func (w *walker) directory(root string) error {
	folder, err := door.Open(root)
	if err != nil {
		w.fail(root, say.Plain(err))
		return nil
	}
	defer func() { _ = folder.Close() }() // opened for reading: nothing can be lost
	return w.below(ground{root, folder}, ".")
}

// ground is a named folder, through which its content is opened.
type ground struct {
	dir    string
	folder *door.Folder
}

// path returns the user's path of a file below the ground.
func (g ground) path(name string) string { return filepath.Join(g.dir, filepath.FromSlash(name)) }

// below walks a folder of the ground, even if its own name starts with a dot.
func (w *walker) below(g ground, start string) error {
	ignore := w.rulesAbove(g.path(start))
	return g.folder.Walk(start, func(name string, d fs.DirEntry, err error) error {
		if w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		if err != nil {
			w.fail(g.path(name), say.Plain(err))
			return skip(d)
		}
		if name != start && (hidden(d) || ignore.excludes(g.path(name), d.IsDir()) || d.IsDir() && w.excluded(g.path(name), true)) {
			return skip(d)
		}
		if d.IsDir() {
			return w.enter(g, name, ignore)
		}
		w.found(g, name, d)
		return nil
	})
}

// enter handles a directory: it adds its marker or walks it.
func (w *walker) enter(g ground, name string, ignore *ignoreRules) error {
	if w.opt.Marker != "" && !w.opt.Inside && w.marked(g, path.Join(name, w.opt.Marker)) {
		return fs.SkipDir
	}
	if err := ignore.load(g.folder, name, g.path(name)); err != nil {
		w.fail(g.path(path.Join(name, ignoreFile)), say.Plain(err))
	}
	return nil
}

// marked adds the marker file, if there is one. If it cannot be examined, an input reports why,
// because the folder must not be mistaken for another kind.
func (w *walker) marked(g ground, name string) bool {
	if _, err := g.folder.Lstat(name); err != nil {
		if door.Absent(err) {
			return false
		}
		w.fail(g.path(name), say.Plain(err))
		return true
	}
	info, err := g.folder.Stat(name)
	if err == nil && info.IsDir() {
		return false
	}
	if !w.excluded(g.path(name), false) {
		w.add(g, name, info, err, false)
	}
	return true
}

// found adds a walked file if its name matches; sift checks the content. Links to folders are not followed.
func (w *walker) found(g ground, name string, d fs.DirEntry) {
	if !w.wanted(d.Name()) {
		return
	}
	info, err := g.folder.Stat(name)
	if err == nil && info.IsDir() || w.excluded(g.path(name), false) {
		return
	}
	w.add(g, name, info, err, false)
	w.list[len(w.list)-1].walked = err == nil && info.Mode().IsRegular()
}

func (w *walker) wanted(name string) bool {
	name = strings.ToLower(name)
	names := []string{name}
	if extension := path.Ext(name); slices.Contains(w.opt.Extensions, extension) {
		names = append(names, strings.TrimSuffix(name, extension))
	}
	for _, p := range w.opt.Patterns {
		for _, name := range names {
			if ok, _ := path.Match(p, name); ok {
				return true
			}
		}
	}
	return false
}

// add adds a file below the ground; err is set if stat failed.
func (w *walker) add(g ground, name string, info fs.FileInfo, err error, explicit bool) {
	at := g.path(name)
	if err != nil {
		w.fail(at, say.Plain(err))
		return
	}
	w.list = append(w.list, Input{
		Name: filepath.ToSlash(at), Path: at, Size: info.Size(), Explicit: explicit,
		packed: w.opt.Packed,
		open:   func(packed []string) (io.ReadCloser, error) { return w.shelf.file(g.dir, name, packed) },
		folder: func() (*door.Folder, error) { return w.shelf.folder(g.dir, path.Dir(name)) },
	})
}

func (w *walker) fail(operand string, err error) {
	w.list = append(w.list, Input{
		Name: filepath.ToSlash(operand), Path: operand, Size: -1, Explicit: true, failed: err,
		open: func([]string) (io.ReadCloser, error) { return nil, err },
	})
}

func hidden(d fs.DirEntry) bool {
	return d.IsDir() && strings.HasPrefix(d.Name(), ".")
}

func skip(d fs.DirEntry) error {
	if d != nil && d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// AbsentError is the error for an operand that does not exist.
type AbsentError struct{ Operand string }

func (e *AbsentError) Error() string { return fmt.Sprintf("no such file or directory: %q", e.Operand) }

// absolute returns the absolute path, or path if the current folder is unknown.
func absolute(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	return abs
}
