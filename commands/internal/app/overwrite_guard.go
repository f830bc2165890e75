package app

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

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
)

// A run must not write a file that it also reads. Files are compared by identity, after resolving links, before any
// is opened for writing. Files found in folders and lists are compared when they are reached.

type FileFlag struct {
	Name  string
	Write bool
	Path  func(value string) string // the file in a value, "" for none; nil: the value itself
}

// FileFlags are the flags that name files, of all commands.
var FileFlags = []FileFlag{
	{Name: "format", Write: true, Path: formatPath},
	{Name: "write-baseline", Write: true},
	{Name: "history", Write: true}, // also read
	{Name: "state", Write: true},   // also read: one file for both is intended
	{Name: "output", Write: true},
	{Name: "write-context", Write: true},
	{Name: "context"},
	{Name: "report", Write: true}, // or read, when a redaction is proved, and then no other file either
	{Name: "secrets", Write: true},
	{Name: "summary", Write: true},
	{Name: "checkpoint-state", Write: true}, // also read, like state
	{Name: "attest", Write: true},
	{Name: "sign"},
	{Name: "sign-password-file"},
	{Name: "reveal"},
	{Name: "log"},
	{Name: "baseline"},
	{Name: "against"},
	{Name: "calibrate"},
	{Name: "config"},
	{Name: "policy"},
	{Name: "plan"},
	{Name: "anchor"},
	{Name: "checkpoint"},
	{Name: "checkpoint-key"},
	{Name: "after"},
	{Name: "hmac-key-file"},
	{Name: "tag-key-file"},
	{Name: "limits", Path: limitsPath},
	{Name: "check-sums"},
	{Name: "check"},
	{Name: "expect-inputs"},
	{Name: "key"},
	{Name: "key-password-file"},
	{Name: "attestation"},
	{Name: "timestamp"},
	{Name: "tsa-cert"},
	{Name: "redaction"},
	{Name: "event"},
	{Name: "assertions"},
	{Name: "trace"},
	{Name: "sources"},
	{Name: "consistency"},
	{Name: "events"},
	{Name: "message"},
	{Name: "request"},
	{Name: "response"},
	{Name: "engine-config"},
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

// UsedFile is a file that a run reads or writes.
type UsedFile struct {
	Title  string // as the command line names it: "--format json=x"
	flag   string // "" for operands and streams
	Place  door.Place
	lost   error // why its place is unknown
	Write  bool
	stream bool // open since the process was started
	silent bool // … and nothing of the report goes there
}

// ClashError is the usage error of writing a file that is used otherwise.
type ClashError struct{ *cmdline.UsageError }

func (e *ClashError) Unwrap() error { return e.UsageError }

// NewClash returns the error for using one file for both.
func NewClash(a, b UsedFile) error {
	return &ClashError{&cmdline.UsageError{
		Message: fmt.Sprintf("%s and %s are the same file", a.Title, b.Title),
		Hint:    "write to a separate file; nothing has been changed",
	}}
}

// unknownClash returns the error for two files that cannot be compared.
func unknownClash(a, b string, why error) error {
	return fmt.Errorf("cannot check whether %s and %s are the same file: %w", a, b, say.Plain(why))
}

// DistinctFiles returns an error if the command line would write a file that is used otherwise. toStdout means that
// a report goes to stdout.
func DistinctFiles(env cmdline.Env, c *cli.Context, toStdout bool) error {
	files := append(FlagFiles(c), streamFiles(env, toStdout)...)
	for _, operand := range c.Args().Slice() {
		files = addFile(files, UsedFile{Title: fmt.Sprintf("the operand %q", operand)}, operand)
	}
	for i, a := range files {
		for _, b := range files[i+1:] {
			if a.Clashes(b) {
				return NewClash(a, b)
			}
			if lost := cmp.Or(a.lost, b.lost); lost != nil && (a.Write || b.Write) {
				return unknownClash(a.Title, b.Title, lost)
			}
		}
	}
	return nil
}

// FlagFiles returns the files that flags name.
func FlagFiles(c *cli.Context) (list []UsedFile) {
	for _, f := range FileFlags {
		for _, value := range ValuesOf(c, f.Name) {
			path := value
			if f.Path != nil {
				path = f.Path(value)
			}
			list = addFile(list, UsedFile{Title: "--" + f.Name + " " + value, flag: f.Name, Write: f.Write}, path)
		}
	}
	digest := DigestFile(c)
	return addFile(list, UsedFile{Title: "--digest-file " + digest, flag: "digest-file", Write: true}, digest)
}

// ValuesOf returns the values of a flag that can be repeated.
func ValuesOf(c *cli.Context, name string) []string {
	if one, ok := c.Value(name).(string); ok {
		return []string{one}
	}
	return c.StringSlice(name)
}

// addFile adds a file, unless it is standard input or cannot be opened, which is reported when it is.
func addFile(list []UsedFile, f UsedFile, path string) []UsedFile {
	if path == "" || path == "-" {
		return list
	}
	place, err := door.Resolve(path)
	if err != nil && nowhere(err) {
		return list
	}
	f.Place, f.lost = place, err
	return append(list, f)
}

// nowhere reports whether an error means that a file does not exist, rather than a fault of the system.
func nowhere(err error) bool {
	return slices.ContainsFunc([]error{fs.ErrNotExist, fs.ErrPermission, syscall.ENOTDIR, syscall.ELOOP, syscall.ENAMETOOLONG, syscall.EINVAL},
		func(known error) bool { return errors.Is(err, known) })
}

func streamFiles(env cmdline.Env, toStdout bool) (list []UsedFile) {
	add := func(stream any, f UsedFile) {
		if file, ok := stream.(*os.File); ok {
			if info, err := file.Stat(); err == nil {
				f.stream, f.Place.Info = true, info
				list = append(list, f)
			}
		}
	}
	add(env.Stdin, UsedFile{Title: "standard input"})
	add(env.Stdout, UsedFile{Title: "standard output", Write: true, silent: !toStdout})
	add(env.Stderr, UsedFile{Title: "standard error", Write: true, silent: true})
	return list
}

// Clashes reports whether two files are the same and cannot be used for both.
func (f UsedFile) Clashes(g UsedFile) bool {
	switch {
	case !f.Write && !g.Write, f.stream && g.stream:
		return false
	case f.flag == "baseline" && g.flag == "write-baseline", g.flag == "baseline" && f.flag == "write-baseline":
		return false // the new one takes the place of the old
	case f.silent && g.Place.Stream, g.silent && f.Place.Stream:
		return false // the report goes where it is led to
	case f.lost != nil, g.lost != nil:
		return false
	case f.Place.Info == nil && g.Place.Info == nil:
		return f.Place.Target == g.Place.Target
	}
	return f.is(g.Place.Info) && (!isDevice(g.Place.Info) || f.Write && g.Write && !isNull(g.Place.Info))
}

func (f UsedFile) is(info fs.FileInfo) bool {
	return f.Place.Info != nil && info != nil && os.SameFile(f.Place.Info, info)
}

// isDevice reports whether a file is a terminal or another character device.
func isDevice(info fs.FileInfo) bool { return info.Mode()&fs.ModeCharDevice != 0 }

func isNull(info fs.FileInfo) bool {
	null, err := door.Stat(os.DevNull)
	return err == nil && os.SameFile(null, info)
}

// ReplacedFiles are existing files that the run will replace.
type ReplacedFiles []UsedFile

// FilesToReplace returns the files that the flags name for writing and that exist.
func FilesToReplace(c *cli.Context) (list ReplacedFiles) {
	for _, f := range FlagFiles(c) {
		if f.Write && (f.lost != nil || f.Place.Info != nil && f.Place.Info.Mode().IsRegular()) {
			list = append(list, f)
		}
	}
	return list
}

// spare returns an error if a file is to be replaced by the run. title is its name in the error.
func (list ReplacedFiles) spare(title string, info fs.FileInfo) error {
	for _, f := range list {
		if f.lost != nil {
			return unknownClash(f.Title, title, f.lost)
		}
		if f.is(info) {
			return NewClash(f, UsedFile{Title: title})
		}
	}
	return nil
}

// SparePath is spare for a path. A file that does not exist is not replaced.
func (list ReplacedFiles) SparePath(title, path string) error {
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

// spareBelow returns an error if a file below an unreadable folder is to be replaced.
func (list ReplacedFiles) spareBelow(in walk.Input) error {
	why := in.Failed()
	if why == nil || len(list) == 0 {
		return nil
	}
	folder, err := door.Resolve(in.Path)
	if err != nil {
		return nil // it leads nowhere
	}
	for _, f := range list {
		if strings.HasPrefix(f.Place.Target, folder.Target+string(filepath.Separator)) {
			return fmt.Errorf("cannot check whether the run reads %s: %w", f.Title, why)
		}
	}
	return nil
}

func (list ReplacedFiles) SpareInputs(inputs []walk.Input) error {
	for _, in := range inputs {
		if in.Path == "" {
			continue
		}
		if err := list.SparePath(fmt.Sprintf("the input %q", in.Name), in.Path); err != nil {
			return err
		}
		if err := list.spareBelow(in); err != nil {
			return err
		}
	}
	return nil
}

// GuardedFolder is a folder that refuses to open files that the run will replace.
type GuardedFolder struct {
	Files    fs.FS
	Replaced ReplacedFiles
}

// guardedError explains why a file is not read. It hides messages about the disk.
type guardedError struct{ why error }

func (e *guardedError) Error() string { return e.why.Error() }

// Spared returns the error if it is about reading a file that the run will replace, so that the run must stop.
// Otherwise it returns nil.
func Spared(err error) error {
	if refused, ok := errors.AsType[*guardedError](err); ok {
		return refused.why
	}
	return nil
}

func (s GuardedFolder) Open(name string) (fs.File, error) {
	f, err := s.Files.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		if why := s.Replaced.spare(fmt.Sprintf("the file %q", name), info); why != nil {
			err = &guardedError{why}
		}
	}
	if err != nil {
		_ = f.Close() // nothing was read
		return nil, err
	}
	return f, nil
}

// DigestFile returns the path of the digest file that accompanies the output, or "".
func DigestFile(c *cli.Context) string {
	if made := c.String("output"); c.Bool("digest-file") && made != "" && made != "-" {
		return made + ".sha256"
	}
	return ""
}
