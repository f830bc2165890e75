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
	var err error
	if !opt.BySession {
		if opt.BySession, err = continued(inputs); err != nil {
			return v.out.Fail(err)
		}
	}
	if opt.BySession {
		if err := noSessions(v.c, "--%s %s, but the files are sessions that continue each other"); err != nil {
			return err
		}
		v.live = false // the findings are in the reports of the sessions
	}
	opt.Name = chainName(inputs)
	bar := v.out.Progress("verifying "+opt.Name, sizeOf(inputs))
	defer bar.End()
	for _, in := range inputs {
		v.segments = append(v.segments, in.Name)
	}
	segments := segmentsOf(inputs, func(r io.Reader) io.Reader { return v.checkpoint.segment(bar.Reader(r)) })
	v.viewChain(inputs, opt)
	unwritten := v.sendLive(&opt)
	answer, err := trace.VerifyChain(v.env.Context, segments, opt)
	bar.End()
	switch {
	case *unwritten != nil:
		return *unwritten
	case err != nil && v.env.Context.Err() != nil:
	case err != nil:
		return v.out.Fail(explained(walk.Input{Name: opt.Name}, err))
	}
	if answer != nil {
		err = v.conclude(answer)
	}
	return errors.Join(err, v.env.Context.Err())
}
