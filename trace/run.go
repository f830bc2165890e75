package trace

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/cupel-dev/cupel/internal/say"
)

// VerifyRun verifies the reasoning trace or session log trace.jsonl of a run folder.
// The plan, the manifest and the evidence that lie below the folder are read as
// Options.Reasoning says, whose Run and Input it sets. Options.Name is the display name of the
// trace; "" is "trace.jsonl". The error is that of Verify, or that the folder has no
// such file.
func VerifyRun(ctx context.Context, folder Files, opt Options) (*Report, error) {
	opt.Name = cmp.Or(opt.Name, traceName)
	f, err := folder.Open(traceName)
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
