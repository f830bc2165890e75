package evidencecmd

import (
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
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

// checkSums is `cupel evidence hash -c FILE`: it recomputes every listed hash.
func (h *hashing) checkSums(c *cli.Context, path string) (report.Summary, error) {
	if c.Args().Present() {
		return report.Summary{}, &cmdline.UsageError{Message: "--check-sums takes no operands", Hint: "the inputs are those that its file lists"}
	}
	list := &sumList{path: path, stdin: c.String("stdin-name")}
	stop, err := list.start(h.env)
	if err != nil {
		return report.Summary{}, err
	}
	defer stop()
	first, err := list.window()
	if err == nil && len(first.inputs) == 0 {
		err = &cmdline.Hinted{Err: fmt.Errorf("no hash lines in %q", path), Hint: list.shouldBe()}
	}
	if err != nil {
		return report.Summary{}, err
	}
	check := &sumCheck{
		hashing: h, list: list, replaced: app.FilesToReplace(c), counted: map[string]lineSet{}, room: maxCounted,
		mismatch: finding.Table(evidence.Rules()).Lookup(evidence.RuleMismatch), doctor: evidence.NewDoctor(h.opt.Limits),
	}
	err = check.all(first)
	if list.improper > 0 && h.opt.Strict {
		h.out.No()
	}
	return check.summary(), err
}

// shouldBe describes the expected list.
func (l *sumList) shouldBe() string {
	if l.objects {
		return "these seem to be events: `cupel evidence hash --check EVENTS` compares the hashes that they record"
	}
	return "a line is `sha256:DIGITS  NAME`, as `cupel evidence hash` prints it"
}

// openListed opens an input by its exact name: patterns, folders and pipes are not listed.
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

// sumCheck is one check of a list.
type sumCheck struct {
	*hashing
	list      *sumList
	replaced  app.ReplacedFiles
	mismatch  *finding.Rule
	doctor    *evidence.Doctor
	diagnoses int
	stdinRead bool
	unread    string             // the input that could not be read last
	counted   map[string]lineSet // of inputs that a later window may list more of
	room      int                // events that may still be counted so
}

// maxDiagnoses bounds how many failed hashes are looked into.
const maxDiagnoses = 20

// all checks a list from its first window on.
func (s *sumCheck) all(w *window) (err error) {
	for err == nil && len(w.inputs) > 0 {
		w, err = s.window(w)
	}
	return err
}

// pass is a read of an input with its listed hashes, from consecutive windows in input order.
type pass struct {
	in     *listedInput
	more   bool         // the list may go on with this input
	next   *window      // … which it does not; nil: not known yet
	roots  []*listedSum // run roots that are listed before the end
	listed lineSet      // of the events that are listed
	line   int          // of the last event
}

// window checks a window's hashes and returns the next window. Its last input is read last, because
// it can continue there.
func (s *sumCheck) window(w *window) (*window, error) {
	for _, in := range w.inputs {
		if err := s.replaced.SparePath(fmt.Sprintf("the input %q", in.name), in.name); err != nil {
			return nil, err
		}
	}
	for _, in := range w.inputs {
		if w.more && in == w.last {
			continue
		}
		if err := s.input(&pass{in: in}, w.more); err != nil {
			return nil, err
		}
	}
	if !w.more {
		return &window{}, nil
	}
	p := &pass{in: w.last, more: true}
	if err := s.input(p, true); err != nil || !p.more {
		return p.next, err
	}
	return s.list.window() // the input was not read to its end
}

// input reads an input and checks its hashes. again means that a later window can list more.
func (s *sumCheck) input(p *pass, again bool) error {
	total, err := s.hash(p)
	if err != nil {
		var read *evidence.ReadError
		if !errors.As(err, &read) {
			return fmt.Errorf("%s: %w", p.in.name, err)
		}
		return s.notRead(p, read)
	}
	s.tally(p, total, again)
	for _, sum := range slices.Concat(p.roots, p.in.sums) {
		if err := s.judge(p.in, sum, total); err != nil {
			return err
		}
	}
	return s.damaged(p.in, total)
}

// notRead reports an input that could not be read, once for the windows that list it one
// after another.
func (s *sumCheck) notRead(p *pass, cause *evidence.ReadError) error {
	s.totals.Unread += len(p.in.sums) + len(p.roots)
	if s.unread == p.in.name {
		return nil
	}
	s.unread = p.in.name
	if err := s.out.Answer(report.Answer{
		List: "inputs", Value: inputRecord{Input: p.in.name, Findings: []finding.Finding{}},
		Subject: p.in.name, Outcome: report.Outcome{Weight: report.Unanswered, Word: "FAILED open or read"},
	}); err != nil {
		return err
	}
	return s.out.Fail(say.Plain(cause.Err))
}

// maxCounted bounds the events of inputs that are known to have been read before. Of others
// the summary counts each reading.
const maxCounted = 64 << 20

// tally counts an input once, even if read several times.
func (s *sumCheck) tally(p *pass, total bundle.Total, again bool) {
	t := &s.totals
	before, known := s.counted[p.in.name]
	if known {
		t.Unlisted -= max(0, total.Events-before.len())
	} else {
		t.Inputs++
		t.Events += total.Events
		t.Hashed += total.Hashed
	}
	p.listed.addAll(before)
	t.Unlisted += max(0, total.Events-p.listed.len())
	if known || again && total.Events <= s.room {
		if !known {
			s.room -= total.Events
		}
		s.counted[p.in.name] = p.listed
	}
}

// lineSet is a set of line numbers, a bit for each.
type lineSet []uint64

func (l *lineSet) add(line int) {
	for len(*l) <= line/64 {
		*l = append(*l, 0)
	}
	(*l)[line/64] |= 1 << (line % 64)
}

func (l *lineSet) addAll(other lineSet) {
	for len(*l) < len(other) {
		*l = append(*l, 0)
	}
	for i, word := range other {
		(*l)[i] |= word
	}
}

func (l lineSet) len() (n int) {
	for _, word := range l {
		n += bits.OnesCount64(word)
	}
	return n
}

// goOn takes the next window's hashes when a pass has consumed the current ones.
func (s *sumCheck) goOn(p *pass, line int) error {
	for _, sum := range p.in.sums {
		if sum.kind == evidence.RunRootSum {
			p.roots = append(p.roots, sum)
			continue
		}
		if err := s.judge(p.in, sum, bundle.Total{}); err != nil {
			return err
		}
	}
	name := p.in.name
	p.in, p.more = &listedInput{name: name}, false
	w, err := s.list.window()
	if err != nil {
		return err
	}
	if len(p.roots) < WindowSums {
		if in := w.take(name, line); in != nil {
			p.in, p.more = in, w.more && len(w.inputs) == 0
		}
	}
	if !p.more {
		p.next = w
	}
	return nil
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

// hash computes the hashes of an input and notes each with the listed one.
func (s *sumCheck) hash(p *pass) (bundle.Total, error) {
	stdin := p.in.name == "-" || p.in.name == s.list.stdin
	if stdin && (s.list.path == "-" || s.stdinRead) {
		return bundle.Total{}, &evidence.ReadError{Err: walk.ErrStdinTwice}
	}
	s.stdinRead = s.stdinRead || stdin
	r, err := openListed(s.env, p.in.name, stdin)
	if err != nil {
		return bundle.Total{}, &evidence.ReadError{Err: err}
	}
	defer r.Close()
	opt := s.opt
	opt.Check, opt.Explain, opt.EnvelopeDigest = false, false, true
	total, err := bundle.Events(s.env.Context, r, -1, p.in.name, 0, opt, func(e *evidence.Result) error {
		return s.event(p, e)
	})
	for err == nil && p.more {
		err = s.goOn(p, p.line+1)
	}
	return total, err
}

// event computes an event's listed hashes.
func (s *sumCheck) event(p *pass, e *evidence.Result) error {
	line := e.Line
	p.line = line
	if e.Alone && len(p.in.at(0)) > 0 {
		line = 0
	}
	for p.more {
		if _, last := p.in.span(); line <= last {
			break
		}
		if err := s.goOn(p, line); err != nil {
			return err
		}
	}
	listed := p.in.at(line)
	if len(listed) > 0 {
		p.listed.add(e.Line)
	}
	for _, sum := range listed {
		s.compute(sum, e)
	}
	return nil
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

// summary closes the report with a warning about uncompared content.
func (s *sumCheck) summary() report.Summary {
	t := &s.totals
	t.Improper = s.list.improper
	if t.Improper > 0 {
		cmdline.Warn(s.env, fmt.Sprintf("lines of %s that list no hash: %d", s.list.path, t.Improper))
	}
	if t.Unlisted > 0 {
		cmdline.Warn(s.env, fmt.Sprintf("events that %s does not list: %d", s.list.path, t.Unlisted))
	}
	sum := report.Summary{Value: t, Weight: report.Good}
	sum.Text = fmt.Sprintf("hashes checked: %d (%d OK, %d FAILED, %d not read)", s.list.hashes, t.Matched, t.Mismatched, t.Unread)
	if t.Matched < s.list.hashes {
		sum.Weight = report.Bad
	}
	return sum
}
