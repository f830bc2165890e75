package tracecmd

import (
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

// chainFlag marks the operands as segments of one log.
func chainFlag() cli.Flag {
	return &cli.BoolFlag{Name: "chain", Category: "Session logs", Usage: "treat operands as the segments of one rotated log, oldest first: one verdict"}
}

// notOfChains are the flags that a chain cannot have, and why.
var notOfChains = []struct{ name, why string }{
	{"follow", "follows a file while it is written"},
	{"state", "goes on in one file"},
	{"changed", "reads each file separately"},
	{"shard", "reads a part of the inputs"},
}

// chainOptions rejects flags that do not apply to a chain.
func chainOptions(c *cli.Context) error {
	if !c.Bool("chain") {
		return nil
	}
	for _, flag := range notOfChains {
		if c.IsSet(flag.name) {
			return &cmdline.UsageError{Message: fmt.Sprintf("--%s %s, but --chain reads all operands as one log", flag.name, flag.why), Hint: "verify the chain without --follow, or follow its last segment alone"}
		}
	}
	if engine := c.String("engine"); engine != string(trace.Fast) {
		return &cmdline.UsageError{Message: fmt.Sprintf("--engine %s reads one file, but --chain reads all operands as one log", engine), Hint: "for the second engine, join the segments with `cat` into one file"}
	}
	return nil
}

// chain verifies the inputs as the segments of one log.
func (v *LogVerifier) chain(inputs []walk.Input, opt trace.Options) error {
	if len(inputs) == 0 {
		return nil
	}
	opt.Name = chainName(inputs)
	bar := v.out.Progress("verifying "+opt.Name, sizeOf(inputs))
	defer bar.End()
	var unopened error
	segments := make([]trace.Segment, len(inputs))
	for i, in := range inputs {
		v.segments = append(v.segments, in.Name)
		opened := false
		segments[i] = trace.Segment{Name: in.Name, Open: func() (io.ReadCloser, error) {
			if opened { // the progress was shown
				return reopen(in)
			}
			opened = true
			r, err := in.Open()
			if err != nil {
				unopened = err
				return nil, err
			}
			return shownReader{v.checkpoint.segment(bar.Reader(r)), r}, nil
		}}
	}
	v.viewChain(inputs, opt)
	unwritten := v.sendLive(&opt)
	answer, err := trace.VerifyChain(v.env.Context, segments, opt)
	bar.End()
	switch {
	case *unwritten != nil:
		return *unwritten
	case err != nil && v.env.Context.Err() != nil:
	case unopened != nil:
		return v.out.Fail(unopened) // a complete sentence
	case err != nil:
		return v.out.Fail(explained(walk.Input{Name: opt.Name}, err))
	}
	if answer != nil {
		err = v.conclude(answer)
	}
	return errors.Join(err, v.env.Context.Err())
}

// reopen opens a segment that was read, which a pipe does not allow.
func reopen(in walk.Input) (io.ReadCloser, error) {
	if in.Size < 0 {
		return nil, errors.ErrUnsupported
	}
	return in.Open()
}

// chainName returns the name of a chain: that of its only segment, or of the first and last.
func chainName(inputs []walk.Input) string {
	first, last := inputs[0].Name, inputs[len(inputs)-1].Name
	if len(inputs) == 1 {
		return first
	}
	return first + " … " + last
}

// shownReader is a reader that shows progress.
type shownReader struct {
	io.Reader
	io.Closer
}

// sizeOf returns the total size of inputs, or -1 if one is unknown.
func sizeOf(inputs []walk.Input) (n int64) {
	for _, in := range inputs {
		if in.Size < 0 {
			return -1
		}
		n += in.Size
	}
	return n
}
