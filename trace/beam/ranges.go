package main

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"reflect"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/cupel-dev/cupel/trace"
)

func init() {
	sdk.RegisterType(reflect.TypeFor[task]())
	sdk.RegisterCoder(reflect.TypeFor[part](), encodePart, decodePart)
	sdk.RegisterDoFn(&summarizeFn{})
	sdk.RegisterDoFn(&mergeFn{})
	sdk.RegisterDoFn(&reportFn{})
}

// task is a range of a log to summarize.
type task struct {
	Log        string
	Start, End int64
	Prologue   []byte // of the log, as JSON
}

// cutInto cuts a log into ranges of a size. The result is deterministic.
func cutInto(name string, src source, size int64, opt trace.Options) (tasks []task, err error) {
	p, err := trace.Open(io.NewSectionReader(src, 0, src.Size()), opt)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	for start := int64(0); start < src.Size() || start == 0; start += size {
		tasks = append(tasks, task{name, start, start + size, text})
	}
	return tasks, nil
}

// part is the known data of some ranges of a log.
type part struct {
	sum   trace.Summary
	lie   places // its columns that it is without
	fault string // why there will be no report; "": none so far
}

func encodePart(p part) ([]byte, error) { return encodeKnown(p.fault, &p.sum, p.lie) }

func decodePart(text []byte) (p part, err error) {
	p.fault, p.lie, err = decodeKnown(text, &p.sum)
	return p, err
}

// summarizeFn summarizes ranges of logs. Columns that are not short are stored in Output by digest instead of
// passing through the engine's shuffle.
type summarizeFn struct {
	Terms  terms
	Output string

	opt trace.Options
}

// Setup reads the terms once for many ranges.
func (fn *summarizeFn) Setup() (err error) {
	fn.opt, err = fn.Terms.options()
	return err
}

// ProcessElement summarizes a range and emits the summary under the log's name.
func (fn *summarizeFn) ProcessElement(ctx context.Context, t task, emit func(string, part)) error {
	var p trace.Prologue
	if err := json.Unmarshal(t.Prologue, &p); err != nil {
		return err
	}
	src, err := storeOf(t.Log).open(ctx, t.Log)
	if err != nil {
		return settle(t.Log, err, func(r result) { emit(t.Log, part{fault: r.Failure}) })
	}
	defer func() { _ = src.Close() }() // opened for reading: nothing can be lost
	watched := &watchedLog{source: src}
	sum, err := trace.Summarize(ctx, watched, trace.Range{Start: t.Start, End: t.End}, p, fn.opt)
	switch {
	case watched.failed != nil:
		return watched.failed
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		emit(t.Log, part{fault: unverified(t.Log, err)})
		return nil
	}
	lie, err := pack(ctx, fn.Output, sum)
	if err != nil {
		return err
	}
	emit(t.Log, part{sum: *sum, lie: lie})
	return nil
}

// watchedLog records a transient read error.
type watchedLog struct {
	source
	failed error
}

func (l *watchedLog) ReadAt(b []byte, offset int64) (int, error) {
	n, err := l.source.ReadAt(b, offset)
	if err != nil && err != io.EOF {
		l.failed = err
	}
	return n, err
}

// mergeFn merges parts of a log.
type mergeFn struct{}

// MergeAccumulators combines two parts in any order.
func (fn *mergeFn) MergeAccumulators(a, b part) part {
	if fault := joinFaults(a.fault, b.fault, func() error { return a.sum.Merge(&b.sum) }); fault != "" {
		return part{fault: fault}
	}
	a.lie = a.lie.with(b.lie)
	return a
}

// reportFn creates a log's report from all its ranges.
type reportFn struct {
	Terms terms

	opt trace.Options
}

// Setup reads the terms once for many logs.
func (fn *reportFn) Setup() (err error) {
	fn.opt, err = fn.Terms.options()
	return err
}

func (fn *reportFn) ProcessElement(ctx context.Context, name string, p part, emit func(result)) error {
	if p.fault != "" {
		emit(result{Input: name, Failure: p.fault})
		return nil
	}
	src, err := storeOf(name).open(ctx, name)
	if err != nil {
		return settle(name, err, emit)
	}
	defer func() { _ = src.Close() }() // opened for reading: nothing can be lost
	watched := &watchedLog{source: src}
	var columns packs
	defer columns.close()
	p.sum.OpenColumn = columns.columns(ctx, p.lie)
	answer, err := p.sum.Report(ctx, watched, around(fn.opt, name, src))
	failed := cmp.Or(watched.failed, columns.failure())
	switch {
	case failed != nil:
		return failed
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		emit(result{Input: name, Failure: unverified(name, err)})
		return nil
	}
	return emitReport(answer, emit)
}
