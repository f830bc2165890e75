// Package walk turns the operands of a command line into an ordered list of
// inputs: files, directories, ** globs, named pipes and standard input.
//
// An explicit operand is always read. A directory is walked in name order: dot
// folders and what .gitignore excludes are skipped, links to directories are not
// entered, and only files that match Options.Patterns (and Options.Probe) are
// picked. A directory that holds Options.Marker stands for that file alone.
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
	"os"
	"path/filepath"
	"strings"
)

// Input is one thing to read.
type Input struct {
	Name     string // for people and reports, with forward slashes
	Path     string // for the system; "" for standard input
	Size     int64  // bytes; -1 when unknown (pipes, devices, standard input)
	Explicit bool   // named on the command line, not found by walking

	open  func() (io.ReadCloser, error)
	empty bool
}

// Open opens the input. Its error says what is wrong in a sentence of its own.
func (in Input) Open() (io.ReadCloser, error) { return in.open() }

// Dir is the folder that the input lies in, "" for standard input.
func (in Input) Dir() string {
	if in.Path == "" {
		return ""
	}
	return filepath.Dir(in.Path)
}

// Empty reports whether the input stands for a folder or a pattern that leads to
// nothing; Open returns an EmptyError then. A file that is missing is not empty.
func (in Input) Empty() bool { return in.empty }

// ErrStdinTwice is the error for operands that name standard input twice.
var ErrStdinTwice = errors.New(`"-" (standard input) can be read only once`)

// EmptyError is what Open returns for a folder or a pattern that leads to no input.
type EmptyError struct {
	Operand string
	Wanted  []string // the file name patterns that were looked for; nil for a pattern
}

func (e *EmptyError) Error() string {
	if e.Wanted == nil {
		return fmt.Sprintf("nothing matches %q", e.Operand)
	}
	return fmt.Sprintf("found no %s in %q", strings.Join(e.Wanted, " or "), e.Operand)
}

// Options say what a command reads.
type Options struct {
	Patterns []string             // base names that a walk picks, e.g. "*.jsonl"
	Probe    func(io.Reader) bool // a walked file must pass it too; nil: every file passes
	Marker   string               // a directory with a file of this name stands for that file; "": none does

	Stdin     io.Reader // what "-" reads
	StdinName string    // its display name; "" is "-"
}

// Expand lists the inputs of the operands, in operand order. It fails only when
// "-" is given more than once or ctx ends; all else is reported by Input.Open.
func Expand(ctx context.Context, operands []string, opt Options) ([]Input, error) {
	w := walker{ctx: ctx, opt: opt}
	stdin := false
	for _, op := range operands {
		if op == "-" {
			if stdin {
				return nil, ErrStdinTwice
			}
			stdin = true
			w.list = append(w.list, FromStdin(ctx, opt.Stdin, opt.StdinName))
			continue
		}
		if err := w.operand(op); err != nil {
			return nil, err
		}
	}
	return w.list, nil
}

// FromStdin is standard input as an input. Where it may block, the end of ctx ends
// the wait.
func FromStdin(ctx context.Context, r io.Reader, name string) Input {
	if name == "" {
		name = "-"
	}
	if r == nil {
		r = strings.NewReader("")
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(r), nil }
	if blocks(r) {
		direct := open
		open = func() (io.ReadCloser, error) { return interruptible(ctx, direct) }
	}
	return Input{Name: name, Size: -1, Explicit: true, open: open}
}

// WithOpen returns the input with another way to open it.
func (in Input) WithOpen(open func() (io.ReadCloser, error)) Input {
	in.open = open
	return in
}

type walker struct {
	ctx  context.Context
	opt  Options
	list []Input
}

// operand adds what one operand stands for, or an input that says why it stands
// for nothing.
func (w *walker) operand(op string) error {
	before := len(w.list)
	info, err := os.Stat(op)
	empty := &EmptyError{Operand: op}
	switch {
	case err == nil:
		empty.Wanted = w.opt.Patterns
		err = w.named(op, info)
	case errors.Is(err, fs.ErrNotExist) && isGlob(op):
		err = w.glob(op)
	case errors.Is(err, fs.ErrNotExist):
		w.fail(op, fmt.Errorf("no such file or directory: %q", op))
		return nil
	default:
		w.fail(op, Plain(err))
		return nil
	}
	if err == nil && len(w.list) == before {
		w.fail(op, empty)
		w.list[before].empty = true
	}
	return err
}

// named adds a file or the inputs of a directory that the user named.
func (w *walker) named(path string, info fs.FileInfo) error {
	if !info.IsDir() {
		w.add(path, info, true)
		return nil
	}
	return w.directory(path)
}

// directory walks root. Its own dot name does not matter: it was asked for.
func (w *walker) directory(root string) error {
	ignore := rootRules(root)
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		if err != nil {
			w.fail(path, Plain(err))
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if path != root && (hidden(d) || ignore.excludes(path, d.IsDir())) {
			return skip(d)
		}
		if d.IsDir() {
			return w.enter(path, ignore)
		}
		w.found(path, d)
		return nil
	})
}

// enter decides about a directory: one that its marker stands for, or one to look into.
func (w *walker) enter(path string, ignore *ignoreRules) error {
	if w.opt.Marker != "" {
		file := filepath.Join(path, w.opt.Marker)
		if info, err := os.Stat(file); err == nil && !info.IsDir() {
			w.add(file, info, false)
			return fs.SkipDir
		}
	}
	ignore.load(path)
	return nil
}

// found adds a walked file when its name and content are what the command reads.
func (w *walker) found(path string, d fs.DirEntry) {
	if !w.wanted(d.Name()) {
		return
	}
	info, err := os.Stat(path)
	if err != nil {
		w.fail(path, Plain(err))
		return
	}
	if info.Mode().IsRegular() && w.probe(path) {
		w.add(path, info, false)
	}
}

func (w *walker) wanted(name string) bool {
	for _, p := range w.opt.Patterns {
		if ok, _ := filepath.Match(p, name); ok {
			return true
		}
	}
	return false
}

// probe looks into a walked file. One that cannot be opened passes: reading it
// will say why.
func (w *walker) probe(path string) bool {
	if w.opt.Probe == nil {
		return true
	}
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	return w.opt.Probe(f)
}

func (w *walker) add(path string, info fs.FileInfo, explicit bool) {
	open := func() (io.ReadCloser, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, Plain(err)
		}
		return f, nil
	}
	size := info.Size()
	if !info.Mode().IsRegular() {
		direct := open
		size, open = -1, func() (io.ReadCloser, error) { return interruptible(w.ctx, direct) }
	}
	w.list = append(w.list, Input{
		Name: filepath.ToSlash(path), Path: path, Size: size, Explicit: explicit, open: open,
	})
}

func (w *walker) fail(operand string, err error) {
	w.list = append(w.list, Input{
		Name: filepath.ToSlash(operand), Path: operand, Size: -1, Explicit: true,
		open: func() (io.ReadCloser, error) { return nil, err },
	})
}

// Plain words a file system error with the path quoted: `cannot open "x":
// permission denied`.
func Plain(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return fmt.Errorf("cannot %s %q: %w", at.Op, at.Path, at.Err)
	}
	return err
}

func hidden(d fs.DirEntry) bool {
	return d.IsDir() && strings.HasPrefix(d.Name(), ".")
}

func skip(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}
