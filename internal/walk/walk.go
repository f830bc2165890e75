// Package walk turns the operands of a command line into an ordered list of
// inputs: files, directories, ** globs, named pipes and standard input.
//
// An explicit operand is always read, unless Options.ForceExclude is set. A directory is walked in name order: dot
// folders and what .gitignore excludes are skipped, links to directories are not
// entered, and only files that match Options.Patterns (and Options.Probe) are
// picked. A directory that holds Options.Marker stands for that file alone.
//
// What a walk finds, and what a pattern matches, is a regular file below the folder that
// the user named, or an input that says what else it is: links out of the folder are not
// followed, pipes and devices not opened.
//
// With Options.Changed the operands are names of files that have changed, as a hook of a
// version control system passes them: each is looked at as what a walk finds, and one
// inside a folder with Options.Marker stands for that folder.
//
// An operand that leads to nothing stays in the list, in its place, as an input
// whose Open returns why: a caller that opens inputs one after the other reports
// it there and goes on with the next.
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

// Input is one thing to read.
type Input struct {
	Name     string // for people and reports, with forward slashes
	Path     string // for the system; "" for standard input
	Size     int64  // bytes; -1 when unknown (pipes, devices, standard input)
	Explicit bool   // named on the command line, not found by walking

	open   func(packed []string) (io.ReadCloser, error)
	packed []string                     // the compressed formats that are read as they are
	folder func() (*door.Folder, error) // nil: it has none
	empty  bool
	walked bool // a regular file that a walk found by its name
	failed error
}

// Failed is why the file or folder could not be looked into, which Open says, too; nil for
// one that can be opened, as far as is known.
func (in Input) Failed() error { return in.failed }

// Open opens the input. Its error says what is wrong in a sentence of its own.
func (in Input) Open() (io.ReadCloser, error) { return in.open(in.packed) }

// Packed returns the input for a reader that takes other compressed formats as they are than
// Options.Packed.
func (in Input) Packed(formats ...string) Input {
	in.packed = formats
	return in
}

// Folder opens the folder that the input lies in, nil for standard input and pipes. One
// that a walk found is reached as the input is: through the folder that was walked. The
// caller closes it.
func (in Input) Folder() (*door.Folder, error) {
	if in.folder == nil {
		return nil, nil
	}
	return in.folder()
}

// Empty reports whether the input stands for a folder or a pattern that leads to
// nothing, or for a changed file that is gone; Open returns an EmptyError then. Another
// file that is missing is not empty.
func (in Input) Empty() bool { return in.empty }

// ErrStdinTwice is the error for operands that name standard input twice.
var ErrStdinTwice = errors.New(`"-" (standard input) can be read only once: give it once`)

// EmptyError is what Open returns for an operand that leads to no input: a folder, a
// pattern, a changed file that is gone.
type EmptyError struct {
	Operand string
	Wanted  []string // the file name patterns that were looked for; nil for a pattern

	PassedOver int // files of such a name that are about something else
	Resembling int // those of them that resemble what is read
	Excluded   int // files and folders that the configuration leaves out

	Gone bool // it is the name of a changed file that is not there
}

func (e *EmptyError) Error() string {
	switch {
	case e.Gone:
		return (&AbsentError{e.Operand}).Error()
	case e.Resembling > 0:
		return fmt.Sprintf("found nothing to read in %q; files that only resemble what is read: %d", e.Operand, e.Resembling)
	case e.Excluded > 0:
		return fmt.Sprintf("found nothing to read in %q; files and folders that are excluded: %d", e.Operand, e.Excluded)
	case e.PassedOver > 0:
		return fmt.Sprintf("found nothing to read in %q; files about something else: %d", e.Operand, e.PassedOver)
	case e.Wanted == nil:
		return fmt.Sprintf("nothing matches %q", e.Operand)
	}
	wanted := slices.DeleteFunc(slices.Clone(e.Wanted), func(p string) bool { return strings.Contains(p, "[") }) // names that rotation gives
	return fmt.Sprintf("found no %s in %q", strings.Join(wanted, " or "), e.Operand)
}

// Options say what a command reads.
type Options struct {
	Patterns []string             // base names that a walk picks, in any case, e.g. "*.jsonl"
	Probe    func(io.Reader) Look // a walked file must pass it too; nil: every file passes. It runs on many goroutines
	Never    string               // the base name of files that a walk passes over unseen, whatever they look like; "": there are none
	Marker   string               // a directory with a file of this name stands for that file; "": none does
	Inside   bool                 // … and its files for themselves, too
	Packed   []string             // the compressed formats that are read as they are, as package source names them

	Extensions []string // that may follow a name which Patterns pick, e.g. ".gz"

	Changed bool // the operands are files that have changed
	// PassedOver is told of each walked file that does not pass Probe, with what it resembles,
	// and of each changed one that is not picked; nil: nobody is.
	PassedOver func(name, resembles string)

	// Exclude says why a configuration leaves a path out, "" when it does not; nil: none is left
	// out. What the user names is never asked about, unless ForceExclude is set. Excluded is
	// told of each file and folder that is left out, once.
	Exclude      func(path string, isDir bool) (why string)
	ForceExclude bool
	Excluded     func(name, why string)

	Shard  Shard       // what it has not is not read; operands that lead to nothing are in every shard
	Others func(Input) // is told of what other shards have, which is not looked into; nil: nobody is

	Jobs int // files that are looked into at a time; 0 means one for each core

	Stdin     io.Reader // what "-" reads
	StdinName string    // its display name; "" is "-"
}

// Look is what looking into a file shows.
type Look struct {
	Passes    bool   // it is what the command reads
	Resembles string // of a file that does not pass: what it may have been meant to be, and why; "": it is about something else
}

// Passing is a probe that knows no resemblance.
func Passing(passes func(io.Reader) bool) func(io.Reader) Look {
	return func(r io.Reader) Look { return Look{Passes: passes(r)} }
}

// FromStdin is standard input as an input. Where it may block, the end of ctx ends
// the wait. Packed is that of Options.
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

// WithOpen returns the input with another way to open it.
func (in Input) WithOpen(open func() (io.ReadCloser, error)) Input {
	in.open = func([]string) (io.ReadCloser, error) { return open() }
	return in
}

type walker struct {
	ctx   context.Context
	opt   Options
	list  []Input
	shelf *shelf // what the inputs that are found are opened through

	left               int // files and folders that Options.Exclude leaves out
	passed, resembling int // files that did not pass the probe, and those of them that resemble one that does

	runs map[string]bool // the folders around changed files, by absolute path: is it a run?
	told map[string]bool // the files that were passed over, by absolute path, or left to another shard
	seen map[string]bool // what changed files stand for, by absolute path
}

// named adds a file or the inputs of a directory that the user named.
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

// directory walks a directory that the user named.
func (w *walker) directory(root string) error {
	folder, err := door.Open(root)
	if err != nil {
		w.fail(root, say.Plain(err))
		return nil
	}
	defer func() { _ = folder.Close() }() // opened for reading: nothing can be lost
	return w.below(ground{root, folder}, ".")
}

// ground is a folder that the user named. What it leads to is reached through it alone.
type ground struct {
	dir    string
	folder *door.Folder
}

// path is a file of the ground as the user knows it.
func (g ground) path(name string) string { return filepath.Join(g.dir, filepath.FromSlash(name)) }

// below walks the folder of the ground with the given name. Its own dot name does not
// matter: it was asked for.
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

// enter decides about a directory: one that its marker stands for, or one to look into.
func (w *walker) enter(g ground, name string, ignore *ignoreRules) error {
	if w.opt.Marker != "" && !w.opt.Inside && w.marked(g, path.Join(name, w.opt.Marker)) {
		return fs.SkipDir
	}
	if err := ignore.load(g.folder, name, g.path(name)); err != nil {
		w.fail(g.path(path.Join(name, ignoreFile)), say.Plain(err))
	}
	return nil
}

// marked adds the marker's file, where there is one; a directory of that name is none. One that
// cannot be looked at is added as an input that says why: without it the folder would look like another.
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

// found adds a walked file when its name is of what the command reads; sift looks at its
// content. A link to a folder is not entered.
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

// add adds a file that the ground leads to; err is why it cannot be described.
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

// AbsentError is why an operand is no input that names nothing.
type AbsentError struct{ Operand string }

func (e *AbsentError) Error() string { return fmt.Sprintf("no such file or directory: %q", e.Operand) }

// absolute is a path from the root of the file system, or the path where the current
// folder is not known.
func absolute(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	return abs
}
