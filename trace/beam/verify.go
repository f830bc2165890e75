package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	textsource "github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/unpack"
	"github.com/cupel-dev/cupel/trace"
)

func init() {
	sdk.RegisterDoFn(&verifyFn{})
}

// verifyFn verifies logs up to the size Split and cuts larger ones into ranges.
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

// ProcessElement verifies a log or emits its ranges. It returns transient errors and converts permanent ones to
// results.
func (fn *verifyFn) ProcessElement(ctx context.Context, name string, emit func(result), cut func(task)) error {
	src, err := storeOf(name).open(ctx, name)
	if err != nil {
		return settle(name, err, emit)
	}
	defer func() { _ = src.Close() }() // opened for reading: nothing can be lost
	packed := packedText(src)
	if packed == nil && (fn.All || src.Size() > fn.Split) {
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
	text := io.Reader(src)
	if packed != nil {
		unpacked, err := unpackedText(ctx, name, src, packed, int64(fn.Terms.MaxDecoded))
		if err != nil {
			return settle(name, err, emit)
		}
		defer func() { _ = unpacked.Close() }() // ends the unpacking
		text = unpacked
	}
	answer, err := trace.Verify(ctx, text, around(fn.opt, name, src))
	if err != nil {
		return settle(name, err, emit)
	}
	return emitReport(answer, emit)
}

// packedText returns the compression format of a log, or nil.
func packedText(src source) *textsource.CompressedError { return textsource.CompressedAt(src, 0) }

// unpackedText returns the text of a compressed log up to a limit.
func unpackedText(ctx context.Context, name string, src source, packed *textsource.CompressedError, most int64) (*unpack.Reader, error) {
	if !slices.Contains(unpack.Formats, packed.Format) {
		return nil, refusedError{fmt.Errorf("cannot verify %q: %w; unpack it with %s", name, packed, packed.Unpack)}
	}
	return unpack.New(ctx, io.NopCloser(src), packed.Format, most), nil
}

// around adds a log's name and companion files to the options.
func around(opt trace.Options, name string, src source) trace.Options {
	opt.Name = name
	if folder := src.folder(); folder != nil {
		opt.Reasoning.Run = folder
	}
	return opt
}

// settle emits a result for a permanent error.
func settle(name string, err error, emit func(result)) error {
	var refused refusedError
	var limit *trace.LimitError
	switch {
	case errors.As(err, &refused):
		emit(result{Input: name, Failure: refused.Error()})
	case errors.As(err, &limit), damaged(err):
		emit(result{Input: name, Failure: unverified(name, err)})
	default:
		return errors.New(unverified(name, err))
	}
	return nil
}

// damaged reports whether a compressed log cannot be read to its end.
func damaged(err error) bool {
	return errors.As(err, new(*unpack.DamageError)) || errors.As(err, new(*unpack.LimitError)) ||
		errors.As(err, new(*unpack.WindowError)) || errors.As(err, new(*unpack.DictionaryError))
}

// unverified describes the reason for a missing report, and how to raise an exceeded limit.
func unverified(name string, err error) string {
	text := fmt.Sprintf("cannot verify %q: %v", name, say.Plain(err))
	if limit, ok := errors.AsType[*trace.LimitError](err); ok && limit.Flag != "" {
		return text + "; " + say.RaiseHint(limit.Flag)
	}
	if _, ok := errors.AsType[*unpack.LimitError](err); ok {
		return text + "; " + say.RaiseHint("--max-decoded")
	}
	return text
}

// emitReport emits a report in cupel's JSON format.
func emitReport(r *trace.Report, emit func(result)) error {
	out, err := resultOf(r)
	if err == nil {
		emit(out)
	}
	return err
}

func resultOf(r *trace.Report) (result, error) {
	text, err := new(report.Encoder).Encode(r)
	return result{Input: r.Input, Report: text, Verdict: string(r.Verdict), Errors: int64(r.Errors), Warnings: int64(r.Warnings)}, err
}
