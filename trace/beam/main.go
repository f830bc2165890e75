// Cupel-beam verifies reasoning traces and session logs on Apache Beam: locally, on Flink or on
// Dataflow. It lists logs, verifies them with package trace on all workers, and writes reports for
// `cupel report merge`, equal byte for byte to those of `cupel trace verify`, sorted by name.
//
//	cupel-beam --input 'logs/*.jsonl' --output reports/
//	cupel-beam --input 's3://lake/*.jsonl' --output s3://lake/reports --shards 100 --runner flink --endpoint localhost:8099
//
// It is a separate module, because cupel does not depend on Beam.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/cupel-dev/cupel/internal/say"
)

// The exit codes of cupel.
const (
	exitYes         = 0
	exitNo          = 1
	exitCannot      = 2
	exitInterrupted = 130
)

func main() {
	var j job
	j.flags(flag.CommandLine)
	level := flag.String("log-level", "error", "`LEVEL` of the engine's own messages on standard error: debug, info, warn or error")
	flag.Usage = func() { usage(flag.CommandLine) }
	flag.Parse()
	if !slices.Contains([]string{"debug", "info", "warn", "error"}, *level) {
		os.Exit(exitCode(fmt.Errorf("--log-level is %q, expected debug, info, warn or error", *level)))
	}
	log.SetupLogging(*level, "text")
	roomyHeap()
	sdk.Init() // a worker that an engine started goes on here, and never returns
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	os.Exit(exitCode(j.main(ctx, flag.Args())))
}

// ballast is memory that is never touched. With a small heap, it makes the garbage collector run a third as often.
var ballast []byte

const ballastBytes = 32 << 20

// roomyHeap allocates the ballast, unless the environment limits the memory.
func roomyHeap() {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		ballast = make([]byte, ballastBytes)
	}
}

// main runs the job and logs the result.
func (j *job) main(ctx context.Context, operands []string) error {
	if err := j.check(operands); err != nil {
		return err
	}
	if *jobopts.Async {
		return errors.New("--async leaves the verdict unknown; run cupel-beam without it")
	}
	t, err := j.run(ctx, beamx.Run)
	if err != nil {
		return err
	}
	fmt.Println(t)
	return t.verdict()
}

func exitCode(err error) int {
	switch {
	case err == nil:
		return exitYes
	case errors.Is(err, errNo):
		return exitNo
	}
	fmt.Fprintln(os.Stderr, "cupel-beam: error:", say.Visible(err.Error()))
	if errors.Is(err, context.Canceled) {
		return exitInterrupted
	}
	return exitCannot
}

// usage prints the help: flags of cupel, then flags of Beam.
func usage(all *flag.FlagSet) {
	w := all.Output()
	fmt.Fprint(w, `Cupel-beam verifies reasoning traces and session logs on an engine that Apache Beam knows.

Usage: cupel-beam --input PATTERN… --output DIR [flags]

Exit codes: 0 all are valid, 1 one is not, 2 could not answer, 130 interrupted

Flags:
`)
	own := flag.NewFlagSet("", flag.ContinueOnError)
	own.SetOutput(w)
	new(job).flags(own)
	for _, name := range []string{"log-level", "runner", "endpoint", "environment_type", "parallelism"} {
		if f := all.Lookup(name); f != nil {
			own.Var(f.Value, name, f.Usage)
		}
	}
	own.PrintDefaults()
	var others []string
	all.VisitAll(func(f *flag.Flag) {
		if own.Lookup(f.Name) == nil {
			others = append(others, f.Name)
		}
	})
	fmt.Fprintln(w, "\nFlags of Beam and its runners:", strings.Join(others, ", "))
}
