package evidencecmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/secrets"
	"github.com/cupel-dev/cupel/internal/walk"
)

// ShowRun describes the reports of evidence show.
var ShowRun = report.Run{
	Command: "evidence show", Schema: "cupel.show/1", Lists: []string{"events", "inputs", input.PassedOverList}, Rules: rulelist.VerifyRules,
	Formats: []string{"text", "json", "jsonl", "html", "markdown", "ndjson", "cloudevents-batch"}, Columns: eventColumns, Hide: hidden,
	NotProved: []string{"whether the events are true: they are shown as they are recorded", unfound},
}

// hidden is the [report.Run.Hide] of reports that contain values of events.
var hidden = app.Hider(secrets.Default)

const unfound = "whether the page shows private data: cupel hides the secrets and user names that it finds"

// ShowCommand is `cupel evidence show`.
func ShowCommand(env cmdline.Env) *cli.Command {
	return app.Reporting(env, ShowRun, &cli.Command{
		Name:      "show",
		Usage:     "show the events of evidence bundles and streams",
		ArgsUsage: "[PATH…]",
		UsageText: strings.Join([]string{
			"cupel evidence show run.tar.gz",
			"cupel evidence show --type 'assay.tool.*' --since 2026-01-02 run.tar.gz",
			"cupel evidence show --format ndjson --seq 0-9 run.tar.gz | cupel evidence hash -",
			"cupel evidence show --format cloudevents-batch run.tar.gz > batch.json",
		}, "\n"),
		Flags: append(evidenceShowFlags(), input.SharedFlags()...),
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		s := &showRun{env: env, out: out, table: out.Shows("text") || out.Shows("html") || out.Shows("markdown"), passed: input.PassedOver{None: "no evidence"}}
		if err := s.readFlags(c); err != nil {
			return report.Summary{}, err
		}
		inputs, err := input.OpenInputs(env, c, evidenceReads(&s.passed))
		if err == nil {
			err = s.passed.List(c, out)
		}
		out.Plan(inputs)
		for i := 0; i < len(inputs) && err == nil; i++ {
			err = s.input(inputs[i])
		}
		if err == nil {
			s.end(c.Bool("allow-empty") || app.Sharded(c) && len(inputs) == 0)
		}
		return s.summary(), err
	})
}

func evidenceShowFlags() []cli.Flag {
	const category, limits = "Events", "Limits"
	return append(compatibleFlags(category), []cli.Flag{
		cmdline.SuggestAll(&cli.StringSliceFlag{Name: "type", KeepSpace: true, Category: category, Usage: "show only events of this `TYPE` (* matches any characters); repeatable"}, Types.Words),
		&cli.StringSliceFlag{Name: "subject", KeepSpace: true, Category: category, Usage: "show only events about this `SUBJECT` (* matches any characters); repeatable"},
		&cli.StringSliceFlag{Name: "run", KeepSpace: true, Category: category, Usage: "show only events of this `RUN`, an assayrunid (* matches any characters); repeatable"},
		&cli.StringFlag{Name: "since", Category: category, Usage: "show only events at or after this `TIME` or day"},
		&cli.StringFlag{Name: "until", Category: category, Usage: "show only events up to this `TIME` or day"},
		&cli.StringFlag{Name: "seq", Category: category, Usage: "show only events with these sequence `NUMBERS`, such as 0-9,12,20-"},
		input.ShowFilesFlag(category),
		limitsFlag(limits),
		input.PackedFlag(limits),
		app.JobsFlag(limits),
	}...)
}

var eventColumns = []report.Column{
	{Name: "SEQ", Right: true}, {Name: "TIME"}, {Name: "TYPE", Cut: true}, {Name: "SUBJECT", Cut: true}, {Name: "CONTENT HASH"},
}

type showRun struct {
	env    cmdline.Env
	out    *app.Output
	opt    bundle.Options
	filter bundle.Filter
	table  bool // the rows of the table are wanted
	about  []byte
	totals showTotals
	passed input.PassedOver
}

type showTotals struct {
	Inputs   int   `json:"inputs"`
	Valid    int   `json:"valid"`
	Invalid  int   `json:"invalid"`
	Events   int64 `json:"events"`
	Shown    int64 `json:"shown"`
	Subset   bool  `json:"subset"` // the flags choose events
	Errors   int   `json:"errors"`
	Warnings int   `json:"warnings"`
	Passed   int   `json:"passed_over,omitempty"`
}

func (s *showRun) readFlags(c *cli.Context) (err error) {
	s.filter, err = bundle.NewFilter(bundle.FilterText{
		Types: c.StringSlice("type"), Subjects: c.StringSlice("subject"), Runs: c.StringSlice("run"),
		Since: c.String("since"), Until: c.String("until"), Sequences: c.String("seq"),
	})
	if err != nil {
		return &cmdline.UsageError{Message: "--" + err.Error(), Hint: "give --since the earlier of the two times"}
	}
	s.totals.Subset = !s.filter.All()
	s.opt = bundle.Options{All: true}
	if s.opt.Compatible, err = compatibleOf(c); err != nil {
		return err
	}
	if s.opt.Jobs, err = app.Jobs(c); err == nil && c.IsSet("limits") {
		s.opt.Limits, err = limitsOf(c.Context, c.String("limits"))
	}
	return err
}

// input shows one input. It reports unreadable input and continues; errors end the run.
func (s *showRun) input(in walk.Input) error {
	line := s.out.Progress("reading "+in.Name, in.Size)
	defer line.End()
	r, err := in.Open()
	if err != nil {
		return s.out.Fail(err)
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	shown := &shownInput{showRun: s, name: in.Name}
	shown.quoted, _ = json.Marshal(in.Name) // a text always has a JSON form
	s.opt.Each = shown.event
	verdict, err := bundle.Verify(s.env.Context, line.Reader(r), input.TextSize(in, r), in.Name, s.opt)
	line.End()
	if err != nil {
		return s.out.Unread(s.env.Context, in.Name, err)
	}
	return shown.end(verdict)
}

type shownInput struct {
	*showRun
	name   string
	quoted []byte // the name as JSON
	shown  int64
}

func (s *shownInput) event(r *evidence.Result) error {
	if !s.filter.Passes(r) {
		return nil
	}
	s.shown++
	a := report.Answer{List: "events", Value: &report.Event{About: s.members(r), Text: eventLine(r)}}
	if s.table {
		a.Row = eventRow(r)
		if !r.Hashed || r.Match == evidence.Different {
			a.Weight = report.Bad
		}
	}
	return s.out.Answer(a)
}

// members returns the members of an event for JSON formats.
func (s *shownInput) members(r *evidence.Result) []byte {
	b := append(s.about[:0], `"input":`...)
	b = append(b, s.quoted...)
	b = strconv.AppendInt(append(b, `,"line":`...), int64(r.Line), 10)
	if r.Hashed {
		b = append(append(b, `,"content_hash":"`...), r.ContentHash()...)
		b = append(b, '"')
	} else {
		b = append(b, `,"content_hash":null`...)
	}
	b = append(b, `,"match":`...)
	if same := matchOf(r.Match); same != nil {
		b = strconv.AppendBool(b, *same)
	} else {
		b = append(b, "null"...)
	}
	s.about = b
	return b
}

// eventLine returns an event's text without line ends, or nil if it is not an event.
func eventLine(r *evidence.Result) []byte {
	if r.Event == nil {
		return nil
	}
	text := r.Text()
	if bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\r') < 0 {
		return text
	}
	var line bytes.Buffer
	if err := json.Compact(&line, text); err != nil {
		panic("evidence show: an event is no JSON: " + err.Error()) // it was read as JSON before
	}
	return line.Bytes()
}

func eventRow(r *evidence.Result) []string {
	if r.Event == nil {
		return []string{"", "", fmt.Sprintf("line %d is not an event", r.Line), "", "none"}
	}
	text := func(a evidence.Attribute) string {
		value := r.Event.Get(a)
		if t, ok := value.Text(); ok || value.Missing() {
			return t
		}
		return string(value.Raw())
	}
	return []string{
		text(evidence.AttrSequence), text(evidence.AttrTime), text(evidence.AttrType), text(evidence.AttrSubject), shortHash(r),
	}
}

func shortHash(r *evidence.Result) string {
	if !r.Hashed {
		return "none"
	}
	_, digits, _ := strings.Cut(r.ContentHash(), ":")
	short := digits[:12]
	switch r.Match {
	case evidence.Different:
		return short + " DIFFERS"
	case evidence.Unknown:
		return short + " not recorded"
	}
	return short
}

func (s *shownInput) end(r *bundle.Report) error {
	t := &s.totals
	t.Inputs++
	t.Events, t.Shown = t.Events+r.Events, t.Shown+s.shown
	t.Errors, t.Warnings = t.Errors+r.Errors, t.Warnings+r.Warnings
	a := report.Answer{
		List: "inputs", Value: r, Subject: r.Input, Outcome: report.Outcome{Weight: report.Good, Word: string(r.Verdict)},
		Scope: []string{string(r.Kind), s.scope(r.Events)}, Facts: shownFacts(r), Findings: r.Findings, Guarded: true,
	}
	if r.Verdict == bundle.Valid {
		t.Valid++
		return s.out.Answer(a)
	}
	t.Invalid++
	s.out.No()
	for _, f := range r.Findings {
		if f.Severity == finding.Error {
			if err := s.out.Fault(f); err != nil {
				return err
			}
		}
	}
	s.out.Warn(fmt.Sprintf("%s is invalid (%s), and only its readable part is shown; `cupel evidence verify --all` lists the errors", r.Input, r.Code))
	a.Weight, a.Reason = report.Bad, fmt.Sprintf("the %s is invalid: %s", r.Kind, r.Code)
	return s.out.Answer(a)
}

func (s *shownInput) scope(events int64) string {
	all := cmdline.Counted(int(events), "event")
	if s.filter.All() {
		return all
	}
	return fmt.Sprintf("subset: %d of %s", s.shown, all)
}

func shownFacts(r *bundle.Report) (facts []report.Fact) {
	for _, f := range []report.Fact{
		{Name: "code", Value: r.Code},
		{Name: "bundle id", Value: r.BundleID},
		{Name: "run root", Value: r.RunRoot},
		{Name: "run", Value: r.Run.ID},
		{Name: "source", Value: r.Run.Source},
		{Name: "producer", Value: producerText(r.Run.Producer)},
		{Name: "time", Value: windowText(r.Run)},
	} {
		if f.Value != "" && (f.Name != "run root" || r.BundleID == "") {
			facts = append(facts, f)
		}
	}
	return facts
}

// windowText formats the time range of a run.
func windowText(r bundle.Run) string {
	if r.Start == r.End {
		return r.Start
	}
	return r.Start + " to " + r.End
}

// end sets exit code 1 if no event was selected.
func (s *showRun) end(allowEmpty bool) {
	if s.totals.Subset && s.totals.Shown == 0 && !allowEmpty {
		s.out.No()
		s.out.Warn("no event matches; use --allow-empty to accept that")
	}
}

func (s *showRun) summary() report.Summary {
	t := s.totals
	t.Passed = len(s.passed.Files)
	sum := report.Summary{Value: t, Weight: report.Plain}
	if t.Inputs > 1 || t.Passed > 0 {
		sum.Text = fmt.Sprintf("%s: %d valid, %d invalid; %d of %s shown", cmdline.Counted(t.Inputs, "input"), t.Valid, t.Invalid,
			t.Shown, cmdline.Counted(int(t.Events), "event")) + s.passed.Text()
	}
	return sum
}
