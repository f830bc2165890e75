package trace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
)

// VerifyDir verifies the run folder at path like [VerifyRun]: trace.jsonl with its plan, manifest and evidence. It
// does not follow links out of the folder or open pipes or devices. Options.Name defaults to path/trace.jsonl. It
// returns an error of VerifyRun or of opening the folder.
func VerifyDir(ctx context.Context, path string, opt Options) (*Report, error) {
	folder, err := door.Open(path)
	if err != nil {
		return nil, say.Plain(err)
	}
	defer func() { _ = folder.Close() }() // opened for reading: nothing can be lost
	opt.Name = cmp.Or(opt.Name, filepath.ToSlash(filepath.Join(path, traceName)))
	return VerifyRun(ctx, folder, opt)
}

// VerifyRun verifies trace.jsonl (a reasoning trace or session log) in a run folder, with plan, manifest and
// evidence as configured in Options.Reasoning, where it sets Run and Input. Options.Name defaults to "trace.jsonl".
// It returns an error of Verify; if the file is missing, the error wraps fs.ErrNotExist.
func VerifyRun(ctx context.Context, folder Files, opt Options) (*Report, error) {
	opt.Name = cmp.Or(opt.Name, traceName)
	f, err := folder.Open(traceName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missingTrace(opt.Name)
	}
	if err != nil {
		return nil, say.Plain(err)
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	info, err := f.Stat()
	if err != nil {
		return nil, say.Plain(err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%q is not a regular file", opt.Name)
	}
	opt.Reasoning.Input = traceName
	if opt.Resume != nil {
		opt.Reasoning.Input = ""
		seeker, ok := f.(io.Seeker)
		if !ok {
			return nil, fmt.Errorf("%q cannot be read from where the last run stopped", opt.Name)
		}
		if _, err := seeker.Seek(opt.Resume.Start(), io.SeekStart); err != nil {
			return nil, say.Plain(err)
		}
	}
	opt.Reasoning.Run = folder
	return Verify(ctx, f, opt)
}

// missingTrace is the error for a run folder without a trace. Its value is the trace's display name.
type missingTrace string

func (name missingTrace) Error() string {
	return fmt.Sprintf("no such file: %q; a run folder holds its reasoning trace or session log under the name %s", string(name), traceName)
}

func (missingTrace) Is(target error) bool { return target == fs.ErrNotExist }
