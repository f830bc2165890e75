package evidencecmd

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/projection"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
)

// digestRun returns the report of a digest command. baseline explains accepted findings.
func digestRun(name, baseline string, notProved []string, lists ...string) report.Run {
	return report.Run{
		Command: "evidence digest " + name, Schema: "cupel.digest/1", Lists: append(lists, input.PassedOverList), Rules: rulelist.DigestRules,
		Baseline: baseline, NotProved: notProved,
	}
}

// digestNotProved are limitations of policy and tool digests.
var digestNotProved = []string{
	"whether two policies or tools with the same digest behave alike: a digest covers only declarations",
	"the author of the digested data",
}

// stdinOnce returns an error if standard input is used both as input and for --check.
func stdinOnce(c *cli.Context, inputs []walk.Input) error {
	if slices.Contains(c.StringSlice("check"), "-") && slices.ContainsFunc(inputs, func(in walk.Input) bool { return in.Path == "" }) {
		return &cmdline.UsageError{Message: walk.ErrStdinTwice.Error(), Hint: ""}
	}
	return nil
}

type recordedDigests struct {
	env        cmdline.Env
	out        *app.Output
	opt        evidence.Options
	allowEmpty bool
	checks     bool // a content hash mismatch is an error: then the recorded digests are worthless
	elsewhere  bool // inputs are in other shards
	passed     input.PassedOver
	totals     digestTotals

	each func(*recordedInput, *evidence.Result) error // is handed each event
}

// digestTotals is the part of the summary about events.
type digestTotals struct {
	Inputs     int `json:"inputs"`
	Events     int `json:"events"`
	Matched    int `json:"matched"`
	Mismatched int `json:"mismatched"`
	Unknown    int `json:"unknown"` // recorded digests that nothing could be compared with
	Unrecorded int `json:"unrecorded"`
	Unread     int `json:"unread"` // lines that are not events
	Passed     int `json:"passed_over,omitempty"`
}

func recordedEventFlags(category string) []cli.Flag {
	return []cli.Flag{limitsFlag(category), input.PackedFlag(category), input.ShowFilesFlag(category), app.JobsFlag(category)}
}

// newRecordedDigests reads the flags. checks means that digests are compared.
func newRecordedDigests(env cmdline.Env, c *cli.Context, out *app.Output, checks bool) (d *recordedDigests, err error) {
	d = &recordedDigests{env: env, out: out, checks: checks, allowEmpty: c.Bool("allow-empty"), elsewhere: app.Sharded(c), passed: input.PassedOver{None: "no evidence"}}
	d.opt.Events = true
	if d.opt.Jobs, err = app.Jobs(c); err == nil && c.IsSet("limits") {
		d.opt.Limits, err = limitsOf(c.Context, c.String("limits"))
	}
	return d, err
}

func (d *recordedDigests) all(c *cli.Context, operands []string) error {
	inputs, err := input.ExpandInputs(d.env, c, operands, evidenceReads(&d.passed))
	if err == nil {
		err = d.passed.List(c, d.out)
	}
	d.out.Plan(inputs)
	for i := 0; i < len(inputs) && err == nil; i++ {
		err = d.input(inputs[i])
	}
	return err
}

type recordedInput struct {
	*recordedDigests
	name string
}

func (d *recordedDigests) input(in walk.Input) error {
	line := d.out.Progress("reading "+in.Name, in.Size)
	defer line.End()
	r, err := in.Open()
	if err != nil {
		return d.out.Fail(err)
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	one := &recordedInput{d, in.Name}
	total, err := bundle.Events(d.env.Context, line.Reader(r), input.TextSize(in, r), in.Name, 0, d.opt, one.event)
	line.End()
	if err != nil {
		return d.out.Unread(d.env.Context, in.Name, err)
	}
	return one.end(total)
}

// event reports an event that is unreadable or was changed; otherwise it passes the event on.
func (d *recordedInput) event(r *evidence.Result) error {
	d.totals.Events++
	for _, f := range r.Findings {
		if f.Rule == evidence.RuleMismatch && d.checks {
			f.Severity = finding.Error
		}
		if f.Severity == finding.Error || f.Rule == evidence.RuleMismatch {
			if err := d.finding(&f); err != nil {
				return err
			}
		}
	}
	if r.Event == nil {
		d.totals.Unread++
		d.out.No()
		return nil
	}
	return d.each(d, r)
}

func (d *recordedInput) finding(f *finding.Finding) error {
	f.File = d.name
	return d.out.Finding(*f)
}

func (d *recordedInput) end(total bundle.Total) error {
	d.totals.Inputs++
	for _, f := range slices.Concat(total.Findings, total.Faults) {
		if f.Severity == finding.Error {
			d.out.No()
		}
		if err := d.finding(&f); err != nil {
			return err
		}
	}
	if total.Events == 0 && len(total.Findings)+len(total.Faults) == 0 && !d.allowEmpty {
		return d.out.Fail(cmdline.NoEventsIn(d.name))
	}
	return nil
}

type recordedRecord struct {
	Input    string            `json:"input"`
	Line     int               `json:"line"`
	ID       *string           `json:"id"`
	Tool     *string           `json:"tool,omitempty"`
	Profile  *string           `json:"profile,omitempty"`
	Digest   *string           `json:"digest,omitempty"` // that was computed of the event itself
	Recorded *string           `json:"recorded"`
	Expected *string           `json:"expected,omitempty"`
	Match    *bool             `json:"match"`
	Findings []finding.Finding `json:"findings"`

	Canonical string `json:"canonical,omitempty"`
}

func (t *digestTotals) count(v projection.Verdict) {
	switch v {
	case projection.Same:
		t.Matched++
	case projection.Different:
		t.Mismatched++
	case projection.Unknown:
		t.Unknown++
	default:
		t.Unrecorded++
	}
}

func (d *recordedInput) record(r *evidence.Result, c projection.Comparison) recordedRecord {
	record := recordedRecord{
		Input: d.name, Line: r.Line, ID: textOf(r.ID), Tool: nonEmpty(c.Tool),
		Recorded: nonEmpty(c.Recorded), Expected: nonEmpty(c.Expected), Findings: []finding.Finding{},
	}
	if c.Verdict == projection.Same || c.Verdict == projection.Different {
		same := c.Verdict == projection.Same
		record.Match = &same
	}
	if c.Finding != nil {
		record.Findings = append(record.Findings, *c.Finding)
	}
	return record
}

// compared reports a comparison in the format of `sha256sum -c`.
func (d *recordedInput) compared(r *evidence.Result, c projection.Comparison, unknown string) error {
	d.totals.count(c.Verdict)
	if c.Verdict == projection.Unrecorded {
		return nil
	}
	a := report.Answer{List: "events", Subject: d.placeOf(r, c.Tool), Outcome: report.Outcome{Weight: report.Good}}
	word := "OK"
	switch c.Verdict {
	case projection.Different:
		word, a.Weight, a.Reason = "FAILED", report.Bad, c.Finding.Message
	case projection.Unknown:
		word, a.Weight = unknown, report.Caution
	}
	a.Listing = say.Visible(a.Subject) + ": " + word
	if c.Finding != nil {
		if c.Finding.Severity == finding.Error {
			d.out.No()
		}
		c.Finding.File = d.name
		if err := d.out.Finding(*c.Finding); err != nil {
			return err
		}
	}
	record := d.record(r, c)
	record.Findings = slices.DeleteFunc(record.Findings, func(f finding.Finding) bool { return !d.out.Keep(f) })
	a.Value, a.Findings = record, record.Findings
	return d.out.Answer(a)
}

func (d *recordedInput) placeOf(r *evidence.Result, tool string) string {
	place := d.name
	if !r.Alone {
		place = fmt.Sprintf("%s:%d", place, r.Line)
	}
	if tool != "" {
		place += " (" + tool + ")"
	}
	return place
}

// nothingCompared fails a run that compared no digests, because it would always pass.
func (d *recordedDigests) nothingCompared(what string) error {
	t := d.totals
	if t.Matched+t.Mismatched > 0 || t.Unread > 0 || d.allowEmpty || d.out.Failed || d.elsewhere && t.Inputs == 0 {
		return nil
	}
	return d.out.Fail(&cmdline.Hinted{Err: fmt.Errorf("no digest was compared: none of %s %s", cmdline.Counted(t.Events, "event"), what), Hint: cmdline.AllowEmptyHint})
}

// checked returns the closing sentence of a run that compared digests.
func (d *recordedDigests) checked() (text string, weight report.Weight) {
	t := d.totals
	text = fmt.Sprintf("digests checked: %d (%d match, %d differ, %d unknown); %s without a digest",
		t.Matched+t.Mismatched+t.Unknown, t.Matched, t.Mismatched, t.Unknown, cmdline.Counted(t.Unrecorded, "event")) + d.passed.Text()
	switch {
	case t.Mismatched+t.Unread > 0:
		return text, report.Bad
	case t.Matched == 0, t.Unknown > 0:
		return text, report.Caution
	}
	return text, report.Good
}

// notRecorded returns the error for checking digests of a projection that events do not record.
func notRecorded(of, recorded fmt.Stringer) error {
	return &cmdline.UsageError{Message: "no event records a digest of the projection " + of.String(), Hint: "use --check with the projection " + recorded.String()}
}
