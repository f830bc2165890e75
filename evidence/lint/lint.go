package lint

import (
	"context"
	"io"
	"slices"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/finding"
)

// Lint checks a bundle, a stream of events or a single event. name is the display name; its extension identifies a
// bundle with a damaged start. size is the input's size in bytes, -1 if unknown. Faults of the input are findings.
// It returns an [evidence.ReadError], ctx's error or an error if the engines disagree.
func Lint(ctx context.Context, r io.Reader, size int64, name string, opt Options) (*Report, error) {
	in := newInput(name, opt)
	if in.opt.NoVerify {
		return in.read(ctx, r, size)
	}
	return in.verify(ctx, r, size)
}

// verify lints an input and verifies it at the same time.
func (in *input) verify(ctx context.Context, r io.Reader, size int64) (*Report, error) {
	opt := in.opt.Verify
	opt.All, opt.Each = true, nil
	opt.OnFinding = func(f finding.Finding) {
		if f.Severity == finding.Error {
			in.pending = append(in.pending, f)
		}
	}
	verdict, err := bundle.VerifyBeside(ctx, r, size, in.report.Input, opt, bundle.Beside[said]{
		New:    in.worker,
		Take:   func(r *evidence.Result, s *said) ([]finding.Finding, error) { return nil, in.event(r, s) },
		Finish: func() ([]finding.Finding, error) { in.take(in.whole()); return nil, nil },
	})
	if err != nil {
		return nil, err
	}
	in.flush()
	in.omitErrors(verdict.Code, verdict.Errors, verdict.Findings)
	in.report.Integrity, in.report.Kind, in.report.Events = verdict, verdict.Kind, verdict.Events
	return in.close(), nil
}

func (in *input) omitErrors(rule string, errors int, list []finding.Finding) {
	for _, f := range list {
		if f.Severity == finding.Error {
			errors--
		}
	}
	in.report.omit(rule, finding.Error, errors)
}

// read lints an input without a requested verification, but reports unreadable input and events.
func (in *input) read(ctx context.Context, r io.Reader, size int64) (*Report, error) {
	opt := evidence.Options{Limits: in.opt.Verify.Limits, Jobs: in.opt.Verify.Jobs, MaxFindings: in.opt.Verify.MaxFindings}
	total, err := bundle.CheckEvents(ctx, r, size, in.report.Input, in.opt.Verify.Compatible, opt, in.worker, func(r *evidence.Result, s *said) error {
		in.report.Events++
		in.refused(r.Findings)
		in.omitErrors("", r.Counts.Errors, r.Findings)
		return in.event(r, s)
	})
	if err != nil {
		return nil, err
	}
	in.report.Kind = total.Kind
	in.refused(total.Findings)
	in.refused(total.Faults)
	in.flush()
	if total.Events > 0 && len(total.Findings)+len(total.Faults) == 0 {
		in.take(in.whole())
	}
	return in.close(), nil
}

// refused processes findings about an unreadable event or input.
func (in *input) refused(list []finding.Finding) {
	for _, f := range list {
		if f.Severity == finding.Error {
			f.File = in.report.Input
			in.pending = append(in.pending, f)
		}
	}
}

// Verify verifies an input with Options.Verify like [bundle.Verify], and treats the linter's errors as faults.
func Verify(ctx context.Context, r io.Reader, size int64, name string, opt Options) (*bundle.Report, error) {
	in := newInput(name, opt)
	report, err := bundle.VerifyBeside(ctx, r, size, name, in.opt.Verify, bundle.Beside[said]{
		New:    in.worker,
		Take:   in.faults,
		Finish: func() ([]finding.Finding, error) { return errorsOf(in.whole()), nil },
	})
	if err == nil && report.Kind == bundle.KindBundle {
		inMember(report.Findings)
	}
	return report, err
}

// faults are the findings of an event that are errors.
func (in *input) faults(r *evidence.Result, s *said) (list []finding.Finding, err error) {
	if s.err != nil {
		return nil, failed(r, s.err)
	}
	ofRun, err := in.complete(r, s, errorsOf(in.run.Take(r, &s.facts)))
	if err != nil || s.counts[finding.Error] == 0 {
		return ofRun, err
	}
	if err := in.look(r, s); err != nil {
		return nil, err
	}
	var rest []finding.Finding // which are only counted
	for f := range in.linter.all {
		switch most := in.opt.Verify.MaxFindings; {
		case f.severity != finding.Error:
		case most >= 0 && len(list) >= most:
			rest = append(rest, finding.Finding{Rule: f.rule, Severity: f.severity})
		default:
			list = append(list, in.linter.make(f))
		}
	}
	place(r, list)
	return slices.Concat(list, rest, ofRun), nil
}

func errorsOf(list []finding.Finding) []finding.Finding {
	return slices.DeleteFunc(slices.Clone(list), func(f finding.Finding) bool { return f.Severity != finding.Error })
}
