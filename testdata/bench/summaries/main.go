// Summaries measures what it takes to verify a log in ranges, beside verifying it in one
// piece, on one processor and in one process: the processor time of each, the least of a
// few rounds, and the size of what is remembered.
//
//	go run ./testdata/bench/summaries LOG RANGES
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/cupel-dev/cupel/trace"
)

const rounds = 5

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "summaries:", err)
		os.Exit(2)
	}
}

func run() error {
	if len(os.Args) != 3 {
		return fmt.Errorf("usage: summaries LOG RANGES")
	}
	ranges, err := strconv.ParseInt(os.Args[2], 10, 64)
	if err != nil || ranges < 1 {
		return fmt.Errorf("%q ranges, expected 1 or more", os.Args[2])
	}
	log, err := os.Open(os.Args[1])
	if err != nil {
		return err
	}
	info, err := log.Stat()
	if err != nil {
		return err
	}
	b := bench{log: log, size: info.Size(), ranges: ranges, opt: trace.Options{Name: "log", Inline: true}}
	for range rounds {
		for i, step := range []func() error{b.verify, b.summarize, b.merge, b.reportOn} {
			if err := timed(&b.least[i], step); err != nil {
				return err
			}
		}
	}
	return b.print()
}

type bench struct {
	log          *os.File
	size, ranges int64
	opt          trace.Options
	least        [4]time.Duration

	events  int64
	parts   []*trace.Summary
	merged  *trace.Summary
	verdict trace.Verdict
}

// timed runs a step and records its processor time if it is the lowest so far.
func timed(least *time.Duration, step func() error) error {
	before := cpu()
	err := step()
	if took := cpu() - before; *least == 0 || took < *least {
		*least = took
	}
	return err
}

func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func (b *bench) verify() error {
	report, err := trace.Verify(context.Background(), io.NewSectionReader(b.log, 0, b.size), b.opt)
	if err == nil {
		b.events = report.Events
	}
	return err
}

func (b *bench) summarize() error {
	prologue, err := trace.Open(io.NewSectionReader(b.log, 0, b.size), b.opt)
	if err != nil {
		return err
	}
	b.parts = nil
	for i := range b.ranges {
		r := trace.Range{Start: b.size / b.ranges * i, End: b.size / b.ranges * (i + 1)}
		if i == b.ranges-1 {
			r.End = b.size
		}
		part, err := trace.Summarize(context.Background(), b.log, r, prologue, b.opt)
		if err != nil {
			return err
		}
		b.parts = append(b.parts, part)
	}
	return nil
}

func (b *bench) merge() error {
	b.merged = &trace.Summary{}
	for _, part := range b.parts {
		if err := b.merged.Merge(part); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) reportOn() error {
	report, err := b.merged.Report(context.Background(), b.log, b.opt)
	if err == nil {
		b.verdict = report.Verdict
	}
	return err
}

func (b *bench) print() error {
	text, err := b.merged.MarshalBinary()
	if err != nil {
		return err
	}
	columns := 0
	for _, column := range b.merged.Columns() {
		columns += len(column)
	}
	each := func(n int) string {
		return fmt.Sprintf("%d bytes, %.2f an event, %.3f %% of the log", n, float64(n)/float64(b.events), 100*float64(n)/float64(b.size))
	}
	fmt.Printf("%s, %d events, %d bytes each, %d ranges\n", b.verdict, b.events, b.size/b.events, b.ranges)
	for i, name := range []string{"verify", "summarize", "merge", "report"} {
		fmt.Printf("%-10s %8.3f s %8.3f µs an event %6.2f of verify %8.1f µs a range\n", name, b.least[i].Seconds(),
			b.least[i].Seconds()*1e6/float64(b.events), b.least[i].Seconds()/b.least[0].Seconds(), b.least[i].Seconds()*1e6/float64(b.ranges))
	}
	fmt.Printf("%-10s %s\n%-10s %s\n", "summaries", each(len(text)), "columns", each(columns))
	return nil
}
