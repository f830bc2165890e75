package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

func init() {
	register.DoFn4x1[context.Context, string, func(result), func(task), error](&verifyFn{})
	register.Emitter1[task]()
}

// verifyFn verifies whole logs, and cuts those into ranges that are longer than Split.
type verifyFn struct {
	Terms terms
	Split int64
	All   bool // every log that can be cut goes by its ranges, however short

	opt trace.Options
}

// Setup reads the terms once for many logs.
func (fn *verifyFn) Setup() (err error) {
	fn.opt, err = fn.Terms.options()
	return err
}

// ProcessElement verifies the log with the given name, or emits its ranges. Its error is one
// that another try may not meet; what every try will meet is a result.
func (fn *verifyFn) ProcessElement(ctx context.Context, name string, emit func(result), cut func(task)) error {
	src, err := storeOf(name).open(ctx, name)
	if err != nil {
		return settle(name, err, emit)
	}
	defer func() { _ = src.Close() }() // opened for reading: nothing can be lost
	if fn.All || src.Size() > fn.Split {
		tasks, err := cutInto(name, src, fn.Split, fn.opt)
		switch {
		case err == nil:
			for _, t := range tasks {
				cut(t)
			}
			return nil
		case !errors.Is(err, trace.ErrArray):
			return settle(name, err, emit)
		}
	}
	answer, err := trace.Verify(ctx, src, around(fn.opt, name, src))
	if err != nil {
		return settle(name, err, emit)
	}
	return emitReport(answer, emit)
}

// around are the options for a log with a name, and with what lies around it.
func around(opt trace.Options, name string, src source) trace.Options {
	opt.Name = name
	if folder := src.folder(); folder != nil {
		opt.Reasoning.Run = folder
	}
	return opt
}

// settle makes a result of an error that every try would meet.
func settle(name string, err error, emit func(result)) error {
	var refused refusedError
	var limit *trace.LimitError
	switch {
	case errors.As(err, &refused):
		emit(result{Input: name, Failure: refused.Error()})
	case errors.As(err, &limit):
		emit(result{Input: name, Failure: unverified(name, err)})
	default:
		return errors.New(unverified(name, err))
	}
	return nil
}

// unverified says that there is no report on a log.
func unverified(name string, err error) string {
	return fmt.Sprintf("cannot verify %q: %v", name, walk.Plain(err))
}

// emitReport emits a report as the JSON formats of cupel write it.
func emitReport(r *trace.Report, emit func(result)) error {
	out, err := resultOf(r)
	if err == nil {
		emit(out)
	}
	return err
}

// resultOf is the result that is a report.
func resultOf(r *trace.Report) (result, error) {
	text, err := new(report.Encoder).Encode(r)
	return result{Input: r.Input, Report: text, Verdict: string(r.Verdict), Errors: int64(r.Errors), Warnings: int64(r.Warnings)}, err
}
