package commands

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
)

// No file that a run writes may be one that it reads, or writes for another purpose: what
// the user had would be gone. Files are compared as the system knows them, behind links
// and whatever their names, before anything is opened to be written; those that a walk, a
// list or a record leads to, when the run comes to them.

// fileFlag is a flag that names a file.
type fileFlag struct {
	name  string
	write bool
	path  func(value string) string // the file in a value, "" for none; nil: the value itself
}

// fileFlags are those of the commands that report, or write one document.
var fileFlags = []fileFlag{
	{name: "format", write: true, path: formatPath},
	{name: "write-baseline", write: true},
	{name: "history", write: true}, // read, too
	{name: "state", write: true},   // read, too: one file for both is what it is for
	{name: "output", write: true},
	{name: "report", write: true}, // or read, when a redaction is proved, and then no other file either
	{name: "secrets", write: true},
	{name: "summary", write: true},
	{name: "reveal"},
	{name: "log"},
	{name: "baseline"},
	{name: "against"},
	{name: "config"},
	{name: "policy"},
	{name: "plan"},
	{name: "anchor"},
	{name: "hmac-key-file"},
	{name: "limits", path: limitsPath},
	{name: "check-sums"},
	{name: "check"},
	{name: "expect-inputs"},
	{name: "key"},
	{name: "key-password-file"},
	{name: "attestation"},
	{name: "redaction"},
	{name: "event"},
	{name: "assertions"},
	{name: "trace"},
	{name: "events"},
	{name: "message"},
	{name: "request"},
	{name: "response"},
	{name: "engine-config"},
}

func formatPath(value string) string {
	_, path, _ := strings.Cut(value, "=")
	return path
}

func limitsPath(value string) string {
	path, isFile := strings.CutPrefix(value, "@")
	if !isFile {
		return ""
	}
	return path
}

// usedFile is a file that a run reads or writes.
type usedFile struct {
	title  string // as the command line names it: "--format json=x"
	flag   string // "" for operands and streams
	place  door.Place
	lost   error // why nobody knows where it is
	write  bool
	stream bool // open since the process was started
	silent bool // … and nothing of the report goes there
}

// clashError is the mistake of writing a file that something else needs.
type clashError struct{ *usageError }

func (e *clashError) Unwrap() error { return e.usageError }

func newClash(a, b usedFile) error {
	return &clashError{&usageError{
		fmt.Sprintf("%s and %s are the same file", a.title, b.title),
		"give what is written a file of its own; nothing has been changed",
	}}
}

// unknownClash says that two files cannot be compared.
func unknownClash(a, b string, why error) error {
	return fmt.Errorf("cannot find out whether %s and %s are the same file: %w", a, b, say.Plain(why))
}

// distinctFiles refuses a command line that writes a file which it needs otherwise.
// toStdout says that a report goes to standard output.
func distinctFiles(env Env, c *cli.Context, toStdout bool) error {
	files := append(flagFiles(c), streamFiles(env, toStdout)...)
	for _, operand := range c.Args().Slice() {
		files = addFile(files, usedFile{title: fmt.Sprintf("the operand %q", operand)}, operand)
	}
	for i, a := range files {
		for _, b := range files[i+1:] {
			if a.clashes(b) {
				return newClash(a, b)
			}
			if lost := cmp.Or(a.lost, b.lost); lost != nil && (a.write || b.write) {
				return unknownClash(a.title, b.title, lost)
			}
		}
	}
	return nil
}

// flagFiles are the files that flags name.
func flagFiles(c *cli.Context) (list []usedFile) {
	for _, f := range fileFlags {
		for _, value := range valuesOf(c, f.name) {
			path := value
			if f.path != nil {
				path = f.path(value)
			}
			list = addFile(list, usedFile{title: "--" + f.name + " " + value, flag: f.name, write: f.write}, path)
		}
	}
	digest := digestFile(c)
	return addFile(list, usedFile{title: "--digest-file " + digest, flag: "digest-file", write: true}, digest)
}

// valuesOf are the values of a flag that may be repeatable.
func valuesOf(c *cli.Context, name string) []string {
	if one, ok := c.Value(name).(string); ok {
		return []string{one}
	}
	return c.StringSlice(name)
}

// addFile adds a file, unless it is standard input or cannot be opened by that name:
// opening it says why.
func addFile(list []usedFile, f usedFile, path string) []usedFile {
	if path == "" || path == "-" {
		return list
	}
	place, err := door.Resolve(path)
	if err != nil && nowhere(err) {
		return list
	}
	f.place, f.lost = place, err
	return append(list, f)
}

// nowhere reports whether a name leads to no file that can be opened, as opposed to a
// fault of the system, after which it may.
func nowhere(err error) bool {
	return slices.ContainsFunc([]error{fs.ErrNotExist, fs.ErrPermission, syscall.ENOTDIR, syscall.ELOOP, syscall.ENAMETOOLONG, syscall.EINVAL},
		func(known error) bool { return errors.Is(err, known) })
}

// streamFiles are the files that the process's own streams have been led to.
func streamFiles(env Env, toStdout bool) (list []usedFile) {
	add := func(stream any, f usedFile) {
		if file, ok := stream.(*os.File); ok {
			if info, err := file.Stat(); err == nil {
				f.stream, f.place.Info = true, info
				list = append(list, f)
			}
		}
	}
	add(env.Stdin, usedFile{title: "standard input"})
	add(env.Stdout, usedFile{title: "standard output", write: true, silent: !toStdout})
	add(env.Stderr, usedFile{title: "standard error", write: true, silent: true})
	return list
}

// clashes reports whether two files are one that cannot be used for both.
func (f usedFile) clashes(g usedFile) bool {
	switch {
	case !f.write && !g.write, f.stream && g.stream:
		return false
	case f.flag == "baseline" && g.flag == "write-baseline", g.flag == "baseline" && f.flag == "write-baseline":
		return false // the new one takes the place of the old
	case f.silent && g.place.Stream, g.silent && f.place.Stream:
		return false // the report goes where it is led to
	case f.lost != nil, g.lost != nil:
		return false
	case f.place.Info == nil && g.place.Info == nil:
		return f.place.Target == g.place.Target
	}
	return f.is(g.place.Info) && (!isDevice(g.place.Info) || f.write && g.write && !isNull(g.place.Info))
}

// is reports whether the file is there and the one described.
func (f usedFile) is(info fs.FileInfo) bool {
	return f.place.Info != nil && info != nil && os.SameFile(f.place.Info, info)
}

// isDevice reports whether a file is a terminal or another device that keeps nothing.
func isDevice(info fs.FileInfo) bool { return info.Mode()&fs.ModeCharDevice != 0 }

// isNull reports whether what is written into a file is lost, as the user wants it.
func isNull(info fs.FileInfo) bool {
	null, err := door.Stat(os.DevNull)
	return err == nil && os.SameFile(null, info)
}

// replacedFiles are the files that are there and that the run will replace.
type replacedFiles []usedFile

func filesToReplace(c *cli.Context) (list replacedFiles) {
	for _, f := range flagFiles(c) {
		if f.write && (f.lost != nil || f.place.Info != nil && f.place.Info.Mode().IsRegular()) {
			list = append(list, f)
		}
	}
	return list
}

// spare refuses to read a file that the run will replace. Title is how the error names it.
func (list replacedFiles) spare(title string, info fs.FileInfo) error {
	for _, f := range list {
		if f.lost != nil {
			return unknownClash(f.title, title, f.lost)
		}
		if f.is(info) {
			return newClash(f, usedFile{title: title})
		}
	}
	return nil
}

// sparePath is spare for a file by its path. One that is not there is not replaced.
func (list replacedFiles) sparePath(title, path string) error {
	if len(list) == 0 {
		return nil
	}
	info, err := door.Stat(path)
	switch {
	case err == nil:
		return list.spare(title, info)
	case nowhere(err):
		return nil
	}
	return say.Plain(err)
}

// spareBelow refuses to replace a file that an input would have led to which could not be
// looked into: nobody knows what the folder holds.
func (list replacedFiles) spareBelow(in walk.Input) error {
	why := in.Failed()
	if why == nil || len(list) == 0 {
		return nil
	}
	folder, err := door.Resolve(in.Path)
	if err != nil {
		return nil // it leads nowhere
	}
	for _, f := range list {
		if strings.HasPrefix(f.place.Target, folder.Target+string(filepath.Separator)) {
			return fmt.Errorf("cannot find out whether the run reads %s: %w", f.title, why)
		}
	}
	return nil
}

// spareInputs is spare for what the operands stand for.
func (list replacedFiles) spareInputs(inputs []walk.Input) error {
	for _, in := range inputs {
		if in.Path == "" {
			continue
		}
		if err := list.sparePath(fmt.Sprintf("the input %q", in.Name), in.Path); err != nil {
			return err
		}
		if err := list.spareBelow(in); err != nil {
			return err
		}
	}
	return nil
}

// sparing is a folder whose files the run reads: it refuses those that the run will
// replace.
type sparing struct {
	files    fs.FS
	replaced replacedFiles
}

// sparedError is why a file is not read. What is said about the disk is inside alone: the
// file itself is there and can be read.
type sparedError struct{ why error }

func (e *sparedError) Error() string { return e.why.Error() }

// spared is why a run must not go on that has ended with an error: a file that it would read
// is one that it will replace; nil when it is not.
func spared(err error) error {
	if refused, ok := errors.AsType[*sparedError](err); ok {
		return refused.why
	}
	return nil
}

// Open opens a file of the folder.
func (s sparing) Open(name string) (fs.File, error) {
	f, err := s.files.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		if why := s.replaced.spare(fmt.Sprintf("the file %q", name), info); why != nil {
			err = &sparedError{why}
		}
	}
	if err != nil {
		_ = f.Close() // nothing was read
		return nil, err
	}
	return f, nil
}
