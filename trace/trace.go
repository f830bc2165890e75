// Package trace verifies what an agent wrote down while it worked: reasoning traces
// and session logs. It answers one question, "is this record intact and well
// formed?", with one of three verdicts and a list of findings.
//
//	report, err := trace.Verify(ctx, file, trace.Options{Name: "run/trace.jsonl"})
//
// The input is read once, in blocks, and never held. An error means that the answer
// could not be given (reading failed, the context ended); a bad record is an answer.
package trace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/reasoning"
	"github.com/cupel-dev/cupel/trace/session"
	"github.com/cupel-dev/cupel/trace/stream"
)

// Finding is one fault or note, at one place of the input.
type Finding = finding.Finding

// Limits bound what one input may ask for; zero fields mean the defaults.
type Limits = stream.Limits

// LimitError is the error of Verify for an input that asks for more than a limit
// allows, so that no answer can be given.
type LimitError = stream.LimitError

// Options say how to verify. The zero value verifies by the letter of the formats.
type Options struct {
	Name   string // the input's display name, for findings
	Limits Limits
	Jobs   int    // goroutines that read lines; 0 means one for each core
	Engine Engine // which engine reads the lines; "" is Fast
	Strict bool   // what is only a warning about a log's form becomes a fault

	// ExpectSHA256 is the digest that the whole input must have: 64 hexadecimal digits,
	// with or without "sha256:". "" asks for nothing.
	ExpectSHA256 string
	// Anchor is what was noted about the log at another time; nil asks for nothing.
	Anchor *Anchor
	// Sum asks for Report.Bytes and Report.SHA256.
	Sum bool

	// Growing says that the log is still being written: a last line without its end is
	// left for later. It wants JSON lines.
	Growing bool
	// Resume is where an earlier run with Growing stopped; nil starts afresh. The input
	// then begins at Resume.Start. Growing runs return their own in Report.State.
	Resume *State

	// Reasoning and Session are the options of one family alone. The session engine is
	// Engine.
	Reasoning reasoning.Options
	Session   session.Options

	// OnFinding, when set, gets every finding as soon as its block is complete, in file
	// order. A provisional one falls away when the input turns out to be rejected.
	OnFinding func(f Finding, provisional bool)
}

// Engine is what reads lines and writes canonical forms.
type Engine string

// The engines.
const (
	Fast      Engine = "fast"      // cupel's own
	Reference Engine = "reference" // independent libraries decide what is readable
	Both      Engine = "both"      // both; a disagreement is an error
)

// Verify reads the input to its end and reports on it. When the context ends before,
// the report of what was read comes with the context's error; Interrupted is set, and
// nothing that only the end can tell is in it.
func Verify(ctx context.Context, input io.Reader, opt Options) (*Report, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	v := newVerification(ctx, opt)
	if opt.Resume != nil {
		if known, err := opt.Resume.recognises(input); err != nil || !known {
			return v.replaced(), err
		}
	}
	sums := newSums(input, opt)
	runner := &stream.Runner{Findings: v.findings, Limits: v.limits, Jobs: opt.Jobs, Detect: v.detect, Second: v.secondOpinion()}
	records := v.records(sums.reader)
	err := runner.Run(ctx, records)
	v.interrupted = err != nil && ctx.Err() != nil
	if err != nil && !v.interrupted {
		return nil, err
	}
	outcome, failed := v.finish(runner)
	if failed != nil {
		return nil, failed
	}
	if !v.interrupted {
		v.compare(sums)
	}
	report := v.report(runner.Counts, outcome)
	report.Bytes, report.SHA256 = sums.whole()
	if grown, ok := records.(*stream.Growing); ok && !v.interrupted {
		report.State, failed = v.state(grown, runner)
		report.waiting(grown.Waiting)
	}
	return report, errors.Join(err, failed)
}

func (o Options) check() error {
	if o.Growing && o.Anchor != nil {
		return errors.New("a growing log is compared with its own state, not with an anchor")
	}
	return o.Session.Check()
}

func newVerification(ctx context.Context, opt Options) *verification {
	limits := opt.Limits.WithDefaults()
	v := &verification{ctx: ctx, opt: opt, limits: limits, findings: stream.NewFindings(limits.Findings)}
	if opt.OnFinding != nil {
		v.findings.Emit = func(f Finding, provisional bool) {
			f.File = cmp.Or(f.File, opt.Name)
			opt.OnFinding(f, provisional)
		}
	}
	return v
}

// records is the input's layout: a growing log is JSON lines, others tell by
// themselves.
func (v *verification) records(input io.Reader) stream.Input {
	switch {
	case v.opt.Resume != nil:
		return stream.NewGrowing(input, v.limits, v.opt.Resume.place())
	case v.opt.Growing:
		return stream.NewGrowing(input, v.limits, stream.Place{})
	}
	return stream.Records(input, v.limits)
}

// finish asks the family for its part of the report.
func (v *verification) finish(runner *stream.Runner) (outcome stream.Outcome, err error) {
	if runner.Checker == nil && v.opt.Resume != nil {
		runner.Checker = v.detect(stream.Line{}, strictjson.Node{})
	}
	partial, ok := runner.Checker.(interface{ Partial() stream.Outcome })
	switch {
	case v.interrupted && ok:
		outcome = partial.Partial()
	case runner.Checker != nil && !v.interrupted:
		outcome, err = runner.Checker.Finish()
	}
	if v.interrupted {
		outcome.NotCovered = append([]string{"everything after the last line that was read: the run was interrupted"}, outcome.NotCovered...)
		return outcome, err
	}
	if v.family == Unknown {
		outcome.Integrity = string(Rejected)
	}
	if runner.Counts.Readable+runner.Counts.Unreadable == 0 && v.opt.Resume == nil {
		v.findings.Reject(emptyFile(runner.Counts))
	}
	return outcome, err
}

// verification is one call of Verify.
type verification struct {
	ctx      context.Context
	opt      Options
	limits   Limits
	findings *stream.Findings
	family   Family

	interrupted bool
}

// detect makes the checker of the family that the first record belongs to.
func (v *verification) detect(l stream.Line, root strictjson.Node) stream.Checker {
	v.family = familyOf(root)
	if v.opt.Resume != nil {
		v.family = v.opt.Resume.Family
	}
	switch v.family {
	case SessionV0, SessionV1, SessionV1B, SessionBare:
		opt := v.opt.Session
		opt.Engine = session.Engine(v.opt.Engine)
		opt.Growing = v.opt.Growing || v.opt.Resume != nil
		if v.opt.Anchor != nil {
			opt.Anchor = &session.Anchor{Events: v.opt.Anchor.Events, Head: v.opt.Anchor.Head}
		}
		if v.opt.Resume != nil {
			opt.Resume = v.opt.Resume.Session
		}
		checker, err := session.New(v.findings, v.limits, string(v.family), root, opt)
		if err != nil {
			return broken{err}
		}
		return checker
	case Reasoning:
		opt := v.opt.Reasoning
		opt.Strict, opt.Jobs = opt.Strict || v.opt.Strict, v.opt.Jobs
		return reasoning.New(v.ctx, opt, v.limits, v.findings, root)
	default:
		v.family = Unknown
		return &unknown{v.findings, l.Number}
	}
}

func emptyFile(counts stream.Counts) Finding {
	f := Finding{Rule: stream.FileEmpty, Message: "the file has no content"}
	if counts.Blank > 0 {
		f.Message = fmt.Sprintf("the file has no content: %d blank lines", counts.Blank)
	}
	return f
}
