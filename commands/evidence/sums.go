package evidencecmd

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/walk"
)

// checkSums runs `cupel evidence hash -c FILE`: it computes every listed hash again.
func (h *hashRun) checkSums(c *cli.Context, path string) (report.Summary, error) {
	if c.Args().Present() {
		return report.Summary{}, &cmdline.UsageError{Message: "--check-sums takes no operands", Hint: "give no operands: the file lists the inputs"}
	}
	list := &sumList{path: path, stdin: c.String("stdin-name")}
	err := list.read(h.env)
	if err == nil && len(list.inputs) == 0 {
		err = &cmdline.Hinted{Err: fmt.Errorf("%q has no line with a hash", path), Hint: list.shouldBe()}
	}
	if err != nil {
		return report.Summary{}, err
	}
	check := &sumCheck{
		hashRun: h, list: list,
		mismatch: finding.Table(evidence.Rules()).Lookup(evidence.RuleMismatch), doctor: evidence.NewDoctor(h.opt.Limits),
	}
	replaced := app.FilesToReplace(c)
	for _, in := range list.inputs {
		if err := replaced.SparePath(fmt.Sprintf("the input %q", in.name), in.name); err != nil {
			return check.summary(), err
		}
	}
	for i := 0; i < len(list.inputs) && err == nil; i++ {
		err = check.input(list.inputs[i])
	}
	if list.improper > 0 && h.opt.Strict {
		h.out.No()
	}
	return check.summary(), err
}

// shouldBe describes the expected content of the list.
func (l *sumList) shouldBe() string {
	if l.objects {
		return "the file seems to contain events: check their recorded hashes with `cupel evidence hash --check EVENTS`"
	}
	return "a line is `sha256:DIGITS  NAME`, as `cupel evidence hash` prints it"
}

// openListed opens an input by its exact name, because lists do not contain patterns, folders or pipes.
func openListed(env cmdline.Env, name string, stdin bool) (io.ReadCloser, error) {
	if stdin {
		return door.StdinOr(env.Context, env.Stdin, source.Gzip), nil
	}
	r, err := door.NamedFileOr(env.Context, name, source.Gzip)
	if err != nil {
		return nil, say.Plain(err)
	}
	return r, nil
}

type sumCheck struct {
	*hashRun
	list      *sumList
	mismatch  *finding.Rule
	doctor    *evidence.Doctor
	diagnoses int
	stdinRead bool
}

// maxDiagnoses limits how many mismatches are explained.
const maxDiagnoses = 20

func (s *sumCheck) input(in *listedInput) error {
	listed := 0
	total, err := s.hash(in, &listed)
	if err != nil {
		var read *evidence.ReadError
		if !errors.As(err, &read) {
			return fmt.Errorf("%s: %w", in.name, err)
		}
		return s.notRead(in, read)
	}
	s.totals.Inputs++
	s.totals.Events += total.Events
	s.totals.Hashed += total.Hashed
	s.totals.Unlisted += total.Events - listed
	for ; in.judged < len(in.sums); in.judged++ {
		if err := s.judge(in, in.sums[in.judged], total); err != nil {
			return err
		}
	}
	return s.damaged(in, total)
}

func (s *sumCheck) notRead(in *listedInput, cause *evidence.ReadError) error {
	s.totals.Unread += len(in.sums) - in.judged
	if err := s.out.Answer(report.Answer{
		List: "inputs", Value: inputRecord{Input: in.name, Findings: []finding.Finding{}},
		Subject: in.name, Outcome: report.Outcome{Weight: report.Unanswered, Word: "FAILED open or read"},
	}); err != nil {
		return err
	}
	return s.out.Fail(say.Plain(cause.Err))
}

// damaged reports a bundle's faults outside of its events.
func (s *sumCheck) damaged(in *listedInput, total bundle.Total) error {
	for _, f := range total.Faults {
		s.out.No()
		f.File = in.name
		if s.out.Keep(f) {
			s.count(f.Severity)
		}
		if err := s.out.Finding(f); err != nil {
			return err
		}
	}
	return nil
}

// hash computes the hashes of an input and counts events that are listed.
func (s *sumCheck) hash(in *listedInput, listed *int) (bundle.Total, error) {
	stdin := in.name == "-" || in.name == s.list.stdin
	if stdin && (s.list.path == "-" || s.stdinRead) {
		return bundle.Total{}, &evidence.ReadError{Err: walk.ErrStdinTwice}
	}
	s.stdinRead = s.stdinRead || stdin
	r, err := openListed(s.env, in.name, stdin)
	if err != nil {
		return bundle.Total{}, &evidence.ReadError{Err: err}
	}
	defer r.Close()
	opt := s.opt
	opt.Check, opt.Explain, opt.EnvelopeDigest = false, false, true
	return bundle.Events(s.env.Context, r, -1, in.name, 0, opt, func(e *evidence.Result) error {
		line := e.Line
		if e.Alone && len(in.at(0)) > 0 {
			line = 0
		}
		sums := in.at(line)
		if len(sums) > 0 {
			*listed++
		}
		for _, sum := range sums {
			s.compute(sum, e)
		}
		return s.judgeComputed(in)
	})
}

// judgeComputed reports the listed hashes in order, up to the first that is not computed yet.
func (s *sumCheck) judgeComputed(in *listedInput) error {
	for ; in.judged < len(in.sums) && in.sums[in.judged].sumResult != nil; in.judged++ {
		if err := s.judge(in, in.sums[in.judged], bundle.Total{}); err != nil {
			return err
		}
		in.sums[in.judged].sumResult = nil
	}
	return nil
}

func (s *sumCheck) compute(sum *listedSum, e *evidence.Result) {
	sum.sumResult = &sumResult{id: textOf(e.ID), computed: e.ContentHash()}
	if sum.kind == evidence.EnvelopeSum {
		sum.computed = e.EnvelopeDigest()
	}
	switch {
	case !e.Hashed:
		sum.why = "the event has no hash: " + firstError(e.Findings)
	case sum.computed == "":
		sum.why = "the event has no envelope digest: " + firstError(e.Findings)
	}
	if sum.kind == evidence.EventSum && e.Hashed && sum.computed != sum.listed && s.diagnoses < maxDiagnoses {
		s.diagnoses++
		sum.notes = s.doctor.Diagnose(e.Text(), sum.listed)
	}
}

func firstError(list []finding.Finding) string {
	for _, f := range list {
		if f.Severity == finding.Error {
			return f.Message + " [" + f.Rule + "]"
		}
	}
	return "see `cupel evidence hash`"
}

func (s *sumCheck) judge(in *listedInput, sum *listedSum, total bundle.Total) error {
	if sum.sumResult == nil {
		sum.sumResult = &sumResult{}
	}
	if sum.kind == evidence.RunRootSum && total.Rooted {
		sum.computed = total.RunRoot.String()
	}
	place := in.name
	if sum.line > 0 {
		place += ":" + strconv.Itoa(sum.line)
	}
	line := [...]string{evidence.RunRootSum: "run-root  ", evidence.EnvelopeSum: "envelope-digest  "}[sum.kind] + say.Visible(place)
	if sum.computed == sum.listed {
		s.totals.Matched++
		return s.out.Answer(sum.answer(in, total, line+": OK", nil))
	}
	s.totals.Mismatched++
	f := s.finding(in, sum)
	if s.out.Keep(f) {
		s.count(f.Severity)
	}
	if err := s.out.Finding(f); err != nil {
		return err
	}
	return s.out.Answer(sum.answer(in, total, line+": FAILED", []finding.Finding{f}))
}

func (s *sumCheck) finding(in *listedInput, sum *listedSum) finding.Finding {
	f := s.mismatch.New("hash mismatch: expected the hash in " + s.list.path)
	f.Severity = finding.Error // as under --check: the hash was asked for
	f.File, f.Line, f.Expected, f.Found, f.Notes = in.name, sum.line, sum.listed, sum.computed, sum.notes
	if sum.computed == "" {
		f.Found = "no hash"
		f.Message = sum.why
		switch {
		case sum.kind == evidence.RunRootSum:
			f.Message = "the input has no run root: an event has no hash"
		case sum.why == "" && sum.line == 0:
			f.Message = s.list.path + " lists the input as one event, but the input is a stream"
		case sum.why == "":
			f.Message = s.list.path + " lists a hash for this line, but the line has no event"
		}
	}
	return f
}

// answer returns the result for a listed hash in the format of `sha256sum -c`.
func (sum *listedSum) answer(in *listedInput, total bundle.Total, line string, list []finding.Finding) report.Answer {
	match := len(list) == 0
	a := report.Answer{Subject: line, Listing: line, Outcome: report.Outcome{Weight: report.Good}, Findings: list}
	if !match {
		a.Weight, a.Reason = report.Bad, list[0].Message
	}
	findings := append([]finding.Finding{}, list...)
	if sum.kind == evidence.RunRootSum {
		a.List, a.Value = "inputs", inputRecord{
			Input: in.name, Events: total.Events, RunRoot: nonEmpty(sum.computed),
			Recorded: &sum.listed, Match: &match, Findings: findings,
		}
		return a
	}
	event := eventRecord{Input: in.name, Line: max(sum.line, 1), ID: sum.id, Recorded: &sum.listed, Match: &match, Findings: findings}
	if sum.kind == evidence.EnvelopeSum {
		event.EnvelopeDigest = nonEmpty(sum.computed)
	} else {
		event.ContentHash = nonEmpty(sum.computed)
	}
	a.List, a.Value = "events", event
	return a
}

// summary closes the report. It warns of content that was not compared.
func (s *sumCheck) summary() report.Summary {
	t := &s.totals
	t.Improper = s.list.improper
	if t.Improper > 0 {
		cmdline.Warn(s.env, fmt.Sprintf("%s has lines without a hash: %d", s.list.path, t.Improper))
	}
	if t.Unlisted > 0 {
		cmdline.Warn(s.env, fmt.Sprintf("%s does not list some events: %d", s.list.path, t.Unlisted))
	}
	sum := report.Summary{Value: t, Weight: report.Good}
	sum.Text = fmt.Sprintf("hashes checked: %d (%d OK, %d FAILED, %d not read)", s.list.hashes, t.Matched, t.Mismatched, t.Unread)
	if t.Matched < s.list.hashes {
		sum.Weight = report.Bad
	}
	return sum
}
