package tracecmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

// around is the open companions of an input of `trace verify` and `trace report`.
type around struct {
	open     []io.Closer
	replaced app.ReplacedFiles
}

// runFolder is a folder for the library.
type runFolder interface {
	fs.FS
	Lstat(name string) (fs.FileInfo, error)
}

// otherFiles is a folder without the files that the run replaces.
type otherFiles struct {
	app.GuardedFolder
	links interface {
		Lstat(name string) (fs.FileInfo, error)
	}
}

// Lstat describes a file without following links. It follows a spared link, which would look like a link out of the
// folder.
func (f otherFiles) Lstat(name string) (fs.FileInfo, error) {
	info, err := f.links.Lstat(name)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return info, err
	}
	target, err := f.Open(name)
	if err != nil && app.Spared(err) != nil {
		return nil, err
	}
	if err == nil {
		_ = target.Close() // nothing was read
	}
	return info, nil
}

// openAround opens the folder of an input and that of --evidence-root.
func openAround(c *cli.Context, in walk.Input, opt *trace.ReasoningOptions) (a around, err error) {
	a.replaced = app.FilesToReplace(c)
	run, err := in.Folder()
	switch {
	case err != nil:
		return a, fmt.Errorf("cannot open the folder of %q: %w", in.Name, say.Plain(err))
	case run != nil: // a pipe has none
		opt.Run = a.add(run)
	}
	if dir := c.String("evidence-root"); dir != "" {
		evidence, err := door.Open(dir)
		if err != nil {
			if at, ok := errors.AsType[*fs.PathError](err); ok {
				err = at.Err // the message names the folder
			}
			return a, fmt.Errorf("cannot open --evidence-root %q: %w", dir, err)
		}
		opt.Evidence = a.add(evidence)
	}
	return a, nil
}

// add registers a folder to be closed, and prevents reads of files that the run replaces.
func (a *around) add(opened *door.Folder) runFolder {
	a.open = append(a.open, opened)
	if len(a.replaced) == 0 {
		return opened
	}
	return otherFiles{app.GuardedFolder{Files: opened, Replaced: a.replaced}, opened}
}

// inputInRun returns an input's name in its folder, or "" if that name is another file or the bytes are converted.
func inputInRun(in walk.Input, r io.Reader, opt *trace.Options) string {
	file, plain := r.(fs.File) // an unpacked text is not a file
	if !plain || opt.Reasoning.Run == nil || opt.Resume != nil {
		return ""
	}
	name := filepath.Base(in.Path)
	read, err := file.Stat()
	if err != nil {
		return ""
	}
	if there, err := opt.Reasoning.Run.Lstat(name); err != nil || !os.SameFile(read, there) {
		return ""
	}
	return name
}

func (a *around) close() {
	for _, c := range a.open {
		_ = c.Close() // opened for reading: nothing can be lost
	}
}

// transcriptHint is the hint of a flag that does not apply to transcripts.
const transcriptHint = "leave the flag out, or verify only inputs that it applies to"

// explained adds the input's name and advice to an error.
func explained(in walk.Input, err error) error {
	if flag, ok := errors.AsType[*trace.TranscriptError](err); ok {
		return &cmdline.Hinted{Err: flag, Hint: transcriptHint}
	}
	if unopened, ok := errors.AsType[*unopenedError](err); ok {
		return unopened.error // a complete sentence
	}
	var limit *trace.LimitError
	named := fmt.Errorf("cannot verify %q: %w", in.Name, say.Plain(err))
	if errors.As(err, &limit) {
		return &cmdline.Hinted{Err: named, Hint: say.RaiseHint(limit.Flag)}
	}
	return named
}
