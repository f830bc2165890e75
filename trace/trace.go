// Package trace verifies records of AI agents: reasoning traces, session logs and transcripts. The report says
// whether a record is intact and well-formed.
//
//	report, err := trace.Verify(ctx, file, trace.Options{Name: "run/trace.jsonl"})
//	report, err := trace.VerifyRun(ctx, folder, trace.Options{Name: "run/trace.jsonl"})
//
// Verify reads a log and the plan, manifest and evidence in Options.Reasoning; VerifyRun finds them in a folder.
// Logs are read once, in blocks. An error means that no verdict was reached, such as a read error; an invalid
// record is not an error but a verdict.
package trace

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/transcript"
	"github.com/cupel-dev/cupel/trace/internal/reasoning"
	"github.com/cupel-dev/cupel/trace/internal/second"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// verification is the state of one call of Verify.
type verification struct {
	opt      Options
	limits   stream.Limits
	block    int // bytes that a block aims for; 0 means the default
	findings *stream.Findings
	before   *State                                  // of an earlier run, or the zero State
	beside   opened                                  // files opened by detection
	second   second.Engine                           // nil with Fast
	log      *kept                                   // input for the second engine; nil with Fast
	watch    func(list string, r *transcript.Record) // receives transcript records; can be nil
	calls    iter.Seq[transcript.ModelCall]          // of a transcript that is watched
	totals   transcript.Totals
	chain    *chain         // the segments of the log; nil for one that is one file
	source   *input         // for a diagnosis, or nil
	trail    *session.Trail // nil without a diagnosis of one session
	asRead   *asRead        // nil if no digest can be needed
	causes   sessionDamage  // of damaged sessions
}

// familyChecker is a checker with its family. It is stored with the delivered blocks rather than in verification,
// because the reader of an interrupted run can continue concurrently.
type familyChecker struct {
	stream.Checker
	family Family
	beside *companions // of a reasoning trace; nil for other families
}

func newVerification(opt Options) *verification {
	v := &verification{opt: opt, limits: stream.Limits(opt.Limits).WithDefaults(), before: opt.Resume}
	if v.before == nil {
		v.before = &State{}
	}
	if opt.Engine.consultsSecond() {
		v.second = second.Linked()
	}
	v.findings = stream.NewFindings(v.limits.Findings)
	if opt.OnFinding != nil {
		v.findings.Emit = func(f Finding, provisional bool) {
			if v.chain != nil {
				v.chain.place(&f)
			}
			f.File = cmp.Or(f.File, opt.Name)
			if provisional && f.Detail == nil {
				f.Detail = Detail{Provisional: true}
			}
			opt.OnFinding(f)
		}
	}
	return v
}

func (v *verification) verify(ctx context.Context, input io.Reader) (*Report, error) {
	if v.second != nil {
		v.log = &kept{r: input}
		input = v.log
	}
	if v.opt.Reasoning.Input != "" {
		v.asRead = &asRead{from: input}
		input = v.asRead
	}
	anchor := v.opt.Anchor
	if v.opt.BySession {
		anchor = nil // it is about the sessions, not about their order
	}
	sums := newSums(input, v.opt.Sum || v.opt.ExpectSHA256 != "", anchor)
	runner := &stream.Runner{
		Findings: v.findings, Limits: v.limits, Jobs: v.opt.Jobs, Inline: v.opt.Inline, Second: secondOpinion(v.opt.Engine, v.second),
		Detect: func(l stream.Line, root strictjson.Node) stream.Checker { return v.detect(ctx, l, root) },
	}
	if v.opt.BySession {
		runner.Detect = func(stream.Line, strictjson.Node) stream.Checker { return v.detectSessions() }
	}
	if v.opt.Resume != nil {
		runner.Checker = v.detect(ctx, stream.Line{}, strictjson.Node{})
	}
	records := v.records(sums.reader)
	err := runner.Run(ctx, records)
	if err != nil && ctx.Err() != nil {
		return v.interrupted(runner), err
	}
	if err != nil {
		return nil, err
	}
	grown, _ := records.(*stream.GrowingLines)
	begun := v.opt.Resume != nil || !runner.Counts.Empty()
	outcome, err := v.finish(runner, begun || grown != nil && grown.Waiting > 0)
	if err != nil {
		return nil, err
	}
	for _, f := range slices.Concat(sums.differ(v.opt.ExpectSHA256, anchor), v.chain.empty()) {
		v.findings.Add(f)
	}
	report := v.report(checkerOf(runner).family, runner.Counts, &outcome)
	if err := v.again(ctx, records, checkerOf(runner), &outcome, report); err != nil {
		return nil, err
	}
	report.judge(v.findings, v.before, begun)
	diagnose(v.diagnosing(runner.Counts, records), report, outcome.Short)
	exchanged(report.Findings)
	if v.opt.BySession {
		if err := v.divide(report, checkerOf(runner), v.diagnosing(runner.Counts, records)); err != nil {
			return nil, err
		}
	}
	report.Bytes, report.SHA256 = sums.whole()
	if grown != nil {
		err = v.grown(report, grown, runner)
	}
	return report, err
}

func (v *verification) diagnosing(counts stream.Counts, records stream.Input) diagnosisInput {
	whole, _ := records.(*stream.AnyLayout)
	d := diagnosisInput{opt: &v.opt, limits: v.limits, trail: v.trail, counts: counts}
	d.lines = whole != nil && !whole.IsArray()
	d.again = func() (*io.SectionReader, string) {
		switch {
		case v.opt.growing():
			return nil, "the log was read while it was being written"
		case v.chain != nil:
			text, why := v.chain.again()
			return io.NewSectionReader(bytes.NewReader(text), 0, int64(len(text))), why
		}
		return v.source.again()
	}
	return d
}

// records returns how the input is split into records: growing logs and segments are JSON lines; otherwise it is
// detected.
func (v *verification) records(input io.Reader) stream.Input {
	if v.chain != nil {
		return v.chain.input(input, v.limits, v.block)
	}
	if !v.opt.growing() {
		return stream.Records(input, v.limits, v.block)
	}
	after := stream.Place{}
	if v.opt.Resume != nil {
		after = v.opt.Resume.place()
	}
	growing := stream.NewGrowing(input, v.limits, v.block, after)
	growing.Complete = v.opt.complete
	return growing
}

// detect returns the checker for the family of the first record.
func (v *verification) detect(ctx context.Context, l stream.Line, root strictjson.Node) stream.Checker {
	family := v.before.Family
	if v.opt.Resume == nil {
		family = familyOf(root)
	}
	switch family {
	case SessionV0, SessionV1, SessionV1B, SessionBare:
		opt := v.opt.Session.internal(v.opt.Engine, v.second, v.opt.growing(), v.opt.Anchor, v.opt.Resume)
		if v.opt.awaitsEnd() {
			opt.OnEnd = v.opt.Follow.OnEnd
		}
		opt.Complete, opt.LineName, opt.Unended = v.opt.complete, v.chain.lineName(), v.opt.Unended
		if v.source != nil && linked(family) {
			v.trail = session.NewTrail(v.limits.IDs)
			opt.Trail = v.trail
		}
		if a := v.opt.After; a != nil {
			opt.After = &session.After{Events: a.Events, Head: a.Head}
		}
		checker, err := session.New(v.findings, v.limits, string(family), root, opt)
		if err != nil {
			return familyChecker{broken{err}, family, nil}
		}
		return familyChecker{checker, family, nil}
	case Reasoning:
		switch {
		case v.chain != nil:
			return familyChecker{broken{errNotRotated}, family, nil}
		case v.opt.awaitsEnd():
			return familyChecker{broken{errEndless}, family, nil}
		}
		opt, beside, err := v.openReasoning()
		if err != nil {
			return familyChecker{broken{err}, family, nil}
		}
		return familyChecker{reasoning.New(ctx, opt, v.limits, v.findings, root), family, beside}
	default:
		return familyChecker{&unknownChecker{v.findings, l.Number}, Unknown, nil}
	}
}

func (v *verification) openReasoning() (reasoning.Options, *companions, error) {
	beside, err := openCompanions(&v.opt.Reasoning, v.opt.Name)
	if err != nil {
		return reasoning.Options{}, nil, err
	}
	v.beside.add(beside)
	if v.second != nil {
		beside.keepPlan()
	}
	opt := v.opt.Reasoning.internal(beside)
	opt.Strict, opt.Jobs = v.opt.Strict, v.opt.Jobs
	if v.asRead != nil && beside.hasManifest() {
		v.asRead.ask()
		opt.Input = reasoning.Input{Path: v.opt.Reasoning.Input, Digest: v.asRead.digest}
	}
	return opt, beside, nil
}

// checkerOf returns the checker of the delivered blocks, or the zero familyChecker.
func checkerOf(runner *stream.Runner) familyChecker {
	found, _ := runner.Checker.(familyChecker)
	return found
}

// finish returns the outcome of the family's checker. If nothing was read, the input is an empty file.
func (v *verification) finish(runner *stream.Runner, begun bool) (outcome stream.Outcome, err error) {
	found := checkerOf(runner)
	if found.Checker != nil {
		outcome, err = found.Finish()
	}
	if !begun {
		v.findings.Reject(stream.EmptyFile(runner.Counts))
	}
	if found.family == Unknown && v.findings.Rejected() {
		outcome.Integrity = stream.IntegrityRejected
	}
	return outcome, err
}

// interrupted returns the report on the part that was read before ctx ended.
func (v *verification) interrupted(runner *stream.Runner) *Report {
	var outcome stream.Outcome
	found := checkerOf(runner)
	if checker, ok := found.Checker.(interface{ Partial() stream.Outcome }); ok {
		outcome = checker.Partial()
	}
	outcome.NotCovered = append([]string{"everything after the last line that was read: the run was interrupted"}, outcome.NotCovered...)
	report := v.report(found.family, runner.Counts, &outcome)
	if v.log != nil {
		report.NotCovered = append(report.NotCovered, onlyOnce("the run was interrupted"))
	}
	report.Interrupted = true
	report.judge(v.findings, v.before, false)
	if v.opt.BySession {
		_ = v.divide(report, found, diagnosisInput{opt: &v.opt}) // only finishing can fail
	}
	return report
}

// replaced returns the report on a log that does not continue the state's log.
func (v *verification) replaced() *Report {
	v.findings.Add(rules[beginningDiffers].New(fmt.Sprintf("the log no longer has the bytes before offset %d that were verified last time", v.before.Offset)))
	report := v.report(v.before.Family, stream.Counts{}, &stream.Outcome{
		Integrity:  stream.IntegrityInvalid,
		NotCovered: []string{"the whole log: it was cut or replaced since the state was written; verify it without the state"},
	})
	report.judge(v.findings, v.before, true)
	if v.opt.Diagnose && damaged(report) {
		report.undiagnosed("the log was cut or replaced since the state was written")
	}
	return report
}

// report returns a report without a verdict, including earlier runs.
func (v *verification) report(family Family, counts stream.Counts, outcome *stream.Outcome) *Report {
	r := newReport(v.opt.Name, family, counts, outcome)
	r.Blank += v.before.Blank
	r.Unreadable += v.before.Unreadable
	if v.before.Offset > 0 {
		r.NotCovered = append(r.NotCovered, v.before.notCovered())
	}
	return r
}

func (v *verification) grown(r *Report, read *stream.GrowingLines, runner *stream.Runner) (err error) {
	r.Ended = v.opt.ended()
	if r.Ended != Rotated {
		r.State, err = v.state(read, runner)
	}
	if v.opt.Follow != nil {
		r.NotCovered = append(r.NotCovered, v.opt.Follow.notCovered(r.Ended)...)
	}
	if read.Waiting > 0 {
		r.NotCovered = append(r.NotCovered, fmt.Sprintf("the last %s: a line that is still being written", say.Counted(read.Waiting, "byte")))
	}
	return err
}

// state returns the state for the next run, or nil if the family does not support one.
func (v *verification) state(read *stream.GrowingLines, runner *stream.Runner) (*State, error) {
	found := checkerOf(runner)
	checker, ok := found.Checker.(*session.Checker)
	if !ok {
		return nil, nil
	}
	memory, err := checker.State()
	if err != nil {
		return nil, err
	}
	s := &State{
		Schema: StateSchema, Terms: termsOf(&v.opt), Family: found.family, Offset: read.Offset, Line: read.Line, Tail: read.Tail, Session: memory,
		Blank: runner.Counts.Blank, Unreadable: runner.Counts.Unreadable, Rejected: v.findings.Rejected(),
	}
	_, _, s.Warnings, s.Errors = v.findings.Close()
	s.after(v.before)
	return s, nil
}
