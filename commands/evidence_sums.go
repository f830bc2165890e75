package commands

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/walk"
)

// The list of hashes is held while its inputs are read: about 200 bytes a line.
const (
	maxSumLine  = 64 << 10
	maxSumLines = 1_000_000
)

// checkSums is `cupel evidence hash -c FILE`: every hash that the file lists, as the
// text format prints them, is computed again.
func (h *hashing) checkSums(c *cli.Context, path string) (report.Summary, error) {
	if c.Args().Present() {
		return report.Summary{}, &usageError{"--check-sums takes no operands", "the inputs are those that its file lists"}
	}
	list := &sumList{path: path, stdin: c.String("stdin-name")}
	if err := list.read(h.env); err != nil {
		return report.Summary{}, err
	}
	if len(list.inputs) == 0 {
		return report.Summary{}, &hinted{
			fmt.Errorf("no hash lines in %q", path),
			"a line is `sha256:DIGITS  NAME`, as `cupel evidence hash` prints it",
		}
	}
	check := &sumCheck{
		hashing: h, list: list,
		mismatch: finding.Table(evidence.Rules()).Lookup(evidence.RuleMismatch), doctor: evidence.NewDoctor(h.opt.Limits),
	}
	replaced := filesToReplace(c)
	for _, in := range list.inputs {
		if err := replaced.sparePath(fmt.Sprintf("the input %q", in.name), in.name); err != nil {
			return check.summary(), err
		}
	}
	for _, in := range list.inputs {
		if err := check.input(in); err != nil {
			return check.summary(), err
		}
	}
	if list.improper > 0 && h.opt.Strict {
		h.out.No()
	}
	return check.summary(), nil
}

// sumList is a file of hashes, grouped by the inputs that it names.
type sumList struct {
	path, stdin string // the file, and the name that stands for standard input
	inputs      []*listedInput
	byName      map[string]*listedInput
	lines       int
	improper    int
}

// listedInput is one input with the hashes that are listed for it.
type listedInput struct {
	name   string
	sums   []*listedSum // in the file's order
	events []*listedSum // those of events, by line; line 0 is the only event
}

// at returns what is listed for the event on a line.
func (in *listedInput) at(line int) []*listedSum {
	byLine := func(sum *listedSum, line int) int { return cmp.Compare(sum.line, line) }
	start, _ := slices.BinarySearchFunc(in.events, line, byLine)
	end, _ := slices.BinarySearchFunc(in.events, line+1, byLine)
	return in.events[start:end]
}

// listedSum is one listed hash, and what became of it.
type listedSum struct {
	kind     evidence.SumKind
	line     int
	listed   string
	computed string // "": there is none
	why      string // … for this reason
	id       *string
	notes    []string
}

func (l *sumList) read(env Env) error {
	r, err := l.open(env)
	if err != nil {
		return err
	}
	defer r.Close()
	l.byName = map[string]*listedInput{}
	for line, err := range source.NewReader(r, maxSumLine).All() {
		if err != nil {
			return fmt.Errorf("%s: %w", l.path, walk.Plain(err))
		}
		if line.Blank() || line.Bytes[0] == '#' {
			continue
		}
		sum, ok := evidence.ParseSumLine(line.Bytes)
		if !ok || line.Long {
			l.improper++
			continue
		}
		if l.lines++; l.lines > maxSumLines {
			return fmt.Errorf("%s lists more than %d hashes, split it", l.path, maxSumLines)
		}
		l.add(sum)
	}
	for _, in := range l.inputs {
		slices.SortStableFunc(in.events, func(a, b *listedSum) int { return cmp.Compare(a.line, b.line) })
	}
	return nil
}

func (l *sumList) add(sum evidence.SumLine) {
	entry := &listedSum{kind: sum.Kind, listed: sum.Hash}
	name := sum.Name
	if sum.Kind != evidence.RunRootSum {
		name, entry.line = l.place(sum)
	}
	in := l.byName[name]
	if in == nil {
		in = &listedInput{name: name}
		l.byName[name] = in
		l.inputs = append(l.inputs, in)
	}
	in.sums = append(in.sums, entry)
	if sum.Kind != evidence.RunRootSum {
		in.events = append(in.events, entry)
	}
}

// place tells "events.ndjson:3", line 3 of a file, from a file of exactly that name.
func (l *sumList) place(sum evidence.SumLine) (name string, line int) {
	name, line = sum.Place()
	if line > 0 && l.byName[name] == nil {
		if _, err := door.Lstat(sum.Name); err == nil {
			return sum.Name, 0
		}
	}
	return name, line
}

// open opens the list itself, which the user names.
func (l *sumList) open(env Env) (io.ReadCloser, error) {
	if l.path == "-" {
		return door.Stdin(env.Context, env.Stdin), nil
	}
	if info, err := door.Stat(l.path); err == nil && info.IsDir() {
		return nil, sumsFile.unread(fmt.Errorf("%q is a folder", l.path))
	}
	r, err := sumsFile.open(env.Context, l.path)
	if err != nil {
		return nil, sumsFile.unread(err)
	}
	return r, nil
}

// openListed opens an input by its exact name: patterns, folders and pipes are not listed.
func openListed(env Env, name string, stdin bool) (io.ReadCloser, error) {
	if stdin {
		return door.StdinOr(env.Context, env.Stdin, source.Gzip), nil
	}
	r, err := door.NamedFileOr(env.Context, name, source.Gzip)
	if err != nil {
		return nil, walk.Plain(err)
	}
	return r, nil
}

// sumCheck is one check of a list.
type sumCheck struct {
	*hashing
	list      *sumList
	mismatch  *finding.Rule
	doctor    *evidence.Doctor
	diagnoses int
}

// maxDiagnoses bounds how many failed hashes are looked into.
const maxDiagnoses = 20

func (s *sumCheck) input(in *listedInput) error {
	total, err := s.hash(in)
	if err != nil {
		var read *evidence.ReadError
		if !errors.As(err, &read) {
			return fmt.Errorf("%s: %w", in.name, err)
		}
		s.totals.Unread += len(in.sums)
		if err := s.out.Answer(report.Answer{
			List: "inputs", Value: inputRecord{Input: in.name, Findings: []finding.Finding{}},
			Subject: in.name, Outcome: report.Outcome{Weight: report.Unanswered, Word: "FAILED open or read"},
		}); err != nil {
			return err
		}
		return s.out.Fail(walk.Plain(read.Err))
	}
	s.totals.Inputs++
	s.totals.Events += total.Events
	s.totals.Hashed += total.Hashed
	for _, sum := range in.sums {
		if err := s.judge(in, sum, total); err != nil {
			return err
		}
	}
	return s.damaged(in, total)
}

// damaged reports what is wrong with a bundle beside its events.
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

// hash computes the hashes of an input and notes each with the listed one.
func (s *sumCheck) hash(in *listedInput) (bundle.Total, error) {
	stdin := in.name == "-" || in.name == s.list.stdin
	if stdin && s.list.path == "-" {
		return bundle.Total{}, &evidence.ReadError{Err: walk.ErrStdinTwice}
	}
	r, err := openListed(s.env, in.name, stdin)
	if err != nil {
		return bundle.Total{}, &evidence.ReadError{Err: err}
	}
	defer r.Close()
	opt := s.opt
	opt.Check, opt.Explain, opt.EnvelopeDigest = false, false, true
	return bundle.Events(s.env.Context, r, -1, in.name, false, opt, func(e *evidence.Result) error {
		line := e.Line
		if e.Alone && len(in.at(0)) > 0 {
			line = 0
		}
		listed := in.at(line)
		if len(listed) == 0 {
			s.totals.Unlisted++
		}
		for _, sum := range listed {
			s.compute(sum, e)
		}
		return nil
	})
}

func (s *sumCheck) compute(sum *listedSum, e *evidence.Result) {
	sum.id, sum.computed = textOf(e.ID), e.ContentHash()
	if sum.kind == evidence.EnvelopeSum {
		sum.computed = e.EnvelopeDigest()
	}
	if sum.computed == sum.listed {
		sum.computed = sum.listed // one string in memory, not two
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

// judge reports one listed hash.
func (s *sumCheck) judge(in *listedInput, sum *listedSum, total bundle.Total) error {
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
	f := s.mismatch.New("the hash is not the one that " + s.list.path + " lists")
	f.Severity = finding.Error // as under --check: the hash was asked for
	f.File, f.Line, f.Expected, f.Found, f.Notes = in.name, sum.line, sum.listed, sum.computed, sum.notes
	if sum.computed == "" {
		f.Found = "no hash"
		f.Message = sum.why
		switch {
		case sum.kind == evidence.RunRootSum:
			f.Message = "the input has no run root: an event has no hash"
		case sum.why == "" && sum.line == 0:
			f.Message = s.list.path + " lists the input as one event, but it is a stream"
		case sum.why == "":
			f.Message = s.list.path + " lists an event on this line, but there is none"
		}
	}
	return f
}

// answer is what became of a listed hash: its line, as `sha256sum -c` prints such lines,
// and what failed.
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

// summary closes the report, and warns of what was not compared.
func (s *sumCheck) summary() report.Summary {
	t := &s.totals
	t.Improper = s.list.improper
	if t.Improper > 0 {
		warn(s.env, fmt.Sprintf("lines of %s that list no hash: %d", s.list.path, t.Improper))
	}
	if t.Unlisted > 0 {
		warn(s.env, fmt.Sprintf("events that %s does not list: %d", s.list.path, t.Unlisted))
	}
	sum := report.Summary{Value: t, Weight: report.Good}
	sum.Text = fmt.Sprintf("hashes checked: %d (%d OK, %d FAILED, %d not read)", s.list.lines, t.Matched, t.Mismatched, t.Unread)
	if t.Matched < s.list.lines {
		sum.Weight = report.Bad
	}
	return sum
}
