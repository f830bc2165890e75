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
	register.DoFn3x1[context.Context, string, func(result), error](&verifyFn{})
}

// verifyFn verifies whole logs.
type verifyFn struct {
	Terms terms

	opt trace.Options
}

// Setup reads the terms once for many logs.
func (fn *verifyFn) Setup() (err error) {
	fn.opt, err = fn.Terms.options()
	return err
}

// ProcessElement verifies the log with the given name. Its error is one that another try
// may not meet; what no try will read is a result.
func (fn *verifyFn) ProcessElement(ctx context.Context, name string, emit func(result)) error {
	src, err := storeOf(name).open(ctx, name)
	if err != nil {
		return settle(name, err, emit)
	}
	defer src.close()
	opt := fn.opt
	opt.Name = name
	if src.folder != nil {
		opt.Reasoning.Run = src.folder
	}
	answer, err := trace.Verify(ctx, src, opt)
	if err != nil {
		return settle(name, err, emit)
	}
	return emitReport(answer, emit)
}

// settle makes a result of an error that every try would meet.
func settle(name string, err error, emit func(result)) error {
	var refused refusedError
	var limit *trace.LimitError
	switch {
	case errors.As(err, &refused):
		emit(result{Input: name, Failure: refused.Error()})
	case errors.As(err, &limit):
		emit(result{Input: name, Failure: fmt.Sprintf("cannot verify %q: %v", name, walk.Plain(err))})
	default:
		return fmt.Errorf("cannot verify %q: %w", name, err)
	}
	return nil
}

// emitReport emits a report as the JSON formats of cupel write it.
func emitReport(r *trace.Report, emit func(result)) error {
	text, err := new(report.Encoder).Encode(r)
	if err != nil {
		return err
	}
	emit(result{Input: r.Input, Report: text, Verdict: string(r.Verdict), Errors: int64(r.Errors), Warnings: int64(r.Warnings)})
	return nil
}
