package tracecmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/walk"
)

// A log too large for one machine is split into byte ranges: --ranges prints a plan, --range with
// --summary reads one, and `cupel report merge` joins them. Neither prints a report or accepts
// report flags.

// rangesSchema names the plan.
const rangesSchema = "cupel.ranges/1"

// maxRanges limits a plan's ranges, because each is a run with a summary.
const maxRanges = 100_000

// rangeFlags are the flags that cut a log.
func rangeFlags() []cli.Flag {
	const category = "Range"
	return []cli.Flag{
		&cli.StringFlag{Name: "ranges", Category: category, Usage: "print a plan that splits the log into ranges of `SIZE` bytes (256MiB, 1GB, 4096), then exit"},
		&cli.StringFlag{Name: "range", Category: category, Usage: "read only lines that start in the bytes `A:B` (A included, B excluded), without a verdict; needs --summary"},
		&cli.StringFlag{Name: "summary", Category: category, Usage: "write the summary of --range to `FILE` (\"-\": standard output), for cupel report merge"},
	}
}

// plansOnly are the flags that go with --ranges.
var plansOnly = []string{"ranges", "quiet", "no-progress", "color"}

// refuseBeside rejects flags that have no effect next to the named one.
func refuseBeside(c *cli.Context, named string, taken []string, hint string) error {
	for _, f := range c.Command.Flags {
		if name := f.Names()[0]; c.IsSet(name) && !slices.Contains(taken, name) {
			return &cmdline.UsageError{Message: fmt.Sprintf("--%s cannot be combined with --%s", name, named), Hint: hint}
		}
	}
	return nil
}

// printPlan is `cupel trace verify --ranges`.
func printPlan(env cmdline.Env, c *cli.Context) error {
	if err := refuseBeside(c, "ranges", plansOnly, "the plan is JSON and shows where to cut the log; use the flag in the runs that verify"); err != nil {
		return err
	}
	size, err := cmdline.SizeFlag("ranges", c.String("ranges"))
	if err != nil {
		return err
	}
	log, err := openLog(env, c, "--ranges")
	if err != nil {
		return err
	}
	defer log.close()
	plan, err := newRangePlan(log.name, log.bytes, size)
	if err != nil {
		return err
	}
	return app.WriteJSON(env.Stdout, plan)
}

// rangePlan lists the ranges of a log.
type rangePlan struct {
	Schema string     `json:"schema"`
	Input  string     `json:"input"`
	Bytes  int64      `json:"bytes"`
	Ranges []logRange `json:"ranges"`
}

type logRange struct {
	Start int64 `json:"start"`
	End   int64 `json:"end"`
}

// newRangePlan plans ranges of size bytes, the last possibly shorter. An empty log has one range.
func newRangePlan(input string, bytes, size int64) (rangePlan, error) {
	plan := rangePlan{rangesSchema, input, bytes, []logRange{{0, min(size, bytes)}}}
	if ranges := (bytes-1)/size + 1; ranges > maxRanges {
		return plan, &cmdline.UsageError{
			Message: fmt.Sprintf("--ranges %d cuts %d bytes into %d ranges, the limit is %d", size, bytes, ranges, maxRanges),
			Hint:    fmt.Sprintf("use ranges of at least %d bytes", (bytes-1)/maxRanges+1),
		}
	}
	for start := size; start < bytes; start += size {
		plan.Ranges = append(plan.Ranges, logRange{start, start + min(size, bytes-start)})
	}
	return plan, nil
}

// wholeLog is a log that supports reads at any offset.
type wholeLog struct {
	walk.Input
	name  string
	file  door.File
	bytes int64
}

func (l wholeLog) close() { _ = l.file.Close() } // opened for reading: nothing can be lost

// openLog opens the single log for a flag. It must be a plain file.
func openLog(env cmdline.Env, c *cli.Context, flag string) (log wholeLog, err error) {
	inputs, err := input.OpenInputs(env, c, input.Reads{As: input.KindTrace, Patterns: input.LogFiles, Marker: input.RunFile, Probe: input.Of(input.KindTrace)})
	if err != nil {
		return log, err
	}
	if len(inputs) != 1 {
		return log, &cmdline.UsageError{Message: fmt.Sprintf("%s takes one log, but there are %d inputs", flag, len(inputs)), Hint: ""}
	}
	return wholeLogOf(inputs[0], flag)
}

func wholeLogOf(in walk.Input, flag string) (log wholeLog, err error) {
	r, err := in.Open()
	if packed, ok := errors.AsType[*source.CompressedError](err); ok {
		return log, &cmdline.Hinted{Err: fmt.Errorf("%s needs an uncompressed regular file: %w", flag, err), Hint: cmdline.UnpackHint(packed)}
	}
	if err != nil {
		return log, err
	}
	file, ok := r.(door.File)
	if ok {
		info, err := file.Stat()
		if err == nil && info.Mode().IsRegular() {
			if isTranscript(bufio.NewReaderSize(io.NewSectionReader(file, 0, headBytes), headBytes)) {
				_ = file.Close() // opened for reading: nothing can be lost
				return log, &cmdline.UsageError{
					Message: fmt.Sprintf("%s works with session logs and reasoning traces, but %q is a transcript", flag, in.Name),
					Hint:    "use `cupel trace verify` without ranges: it reads transcripts on all cores, in little memory",
				}
			}
			return wholeLog{Input: in, name: in.Name, file: file, bytes: info.Size()}, nil
		}
	}
	_ = r.Close() // opened for reading: nothing can be lost
	return log, &cmdline.UsageError{
		Message: fmt.Sprintf("%s needs a regular file: %q does not allow reads at any offset", flag, in.Name),
		Hint:    "save the output as a file, or verify the input without " + flag,
	}
}
