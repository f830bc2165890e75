package evidencecmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
)

// DiffCommand is `cupel evidence diff`.
func DiffCommand(env cmdline.Env) *cli.Command {
	run := report.Run{
		Command: "evidence diff", Schema: "cupel.diff/1", Lists: []string{"differences", "inputs"},
		Formats: []string{"text", "json", "jsonl", "html", "markdown"}, Hide: hidden,
		NotProved: []string{"whether either input is valid: check with cupel evidence verify", unfound},
	}
	return app.Reporting(env, run, &cli.Command{
		Name:      "diff",
		Usage:     "compare the content of two evidence bundles, streams or events",
		ArgsUsage: "A B",
		UsageText: strings.Join([]string{
			"cupel evidence diff yesterday.tar.gz today.tar.gz",
			"cupel evidence diff --format json run.tar.gz events.ndjson",
			"cupel evidence show --format ndjson --type 'assay.fs.*' b.tar.gz | cupel evidence diff a.ndjson -",
		}, "\n"),
		Flags: append(compatibleFlags("Diff"), []cli.Flag{
			&cli.StringFlag{Name: "stdin-name", Category: "Input", Usage: "`PATH` that reports show for standard input"},
			limitsFlag("Limits"),
			input.PackedFlag("Limits"),
			app.JobsFlag("Limits"),
		}...),
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		d := &diffRun{env: env, out: out}
		if err := d.readFlags(c); err != nil {
			return report.Summary{}, err
		}
		inputs, err := input.OpenInputs(env, c, evidenceReads(&input.PassedOver{}))
		if err == nil && (c.NArg() != 2 || len(inputs) != 2) {
			err = notTwo(len(inputs))
		}
		if err != nil {
			return report.Summary{}, err
		}
		out.Plan(inputs)
		return d.compare(inputs[0], inputs[1])
	})
}

func notTwo(inputs int) error {
	are := fmt.Sprintf("are %d inputs", inputs)
	if inputs == 1 {
		are = "is 1 input"
	}
	return &cmdline.UsageError{Message: "there " + are + ", expected two to compare", Hint: "`cupel evidence diff A B` lists the differences"}
}

type diffRun struct {
	env cmdline.Env
	out *app.Output
	opt bundle.CompareOptions
}

func (d *diffRun) readFlags(c *cli.Context) (err error) {
	d.opt = bundle.CompareOptions{Spill: spill}
	if d.opt.Compatible, err = compatibleOf(c); err != nil {
		return err
	}
	if d.opt.Jobs, err = app.Jobs(c); err == nil && c.IsSet("limits") {
		d.opt.Limits, err = limitsOf(c.Context, c.String("limits"))
	}
	return err
}

// spill creates a temporary file.
func spill() (bundle.Spill, error) {
	f, err := door.NewTemp()
	if err != nil {
		return nil, &cmdline.Hinted{Err: fmt.Errorf("cannot keep events in a temporary file: %w", say.Plain(err)), Hint: "set TMPDIR to a folder with enough space for the events of the first input"}
	}
	return f, nil
}

func (d *diffRun) compare(a, b walk.Input) (report.Summary, error) {
	var sides [2]bundle.Input
	for i, in := range []walk.Input{a, b} {
		r, err := in.Open()
		if err != nil {
			return report.Summary{}, err
		}
		defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
		line := d.out.Progress("reading "+in.Name, in.Size)
		defer line.End()
		sides[i] = bundle.Input{Name: in.Name, Size: input.TextSize(in, r), Reader: line.Reader(r)}
	}
	answer, err := bundle.Compare(d.env.Context, sides[0], sides[1], d.opt, d.difference)
	var side *bundle.SideError
	switch {
	case errors.As(err, &side):
		return report.Summary{}, d.out.Unread(d.env.Context, side.Name, side.Err)
	case err != nil:
		return report.Summary{}, err
	case !answer.Answered():
		return report.Summary{}, d.unanswered(answer)
	}
	return d.answer(answer)
}

// unanswered returns why the inputs cannot be compared.
func (d *diffRun) unanswered(c *bundle.Comparison) error {
	for _, side := range []bundle.Side{c.A, c.B} {
		if len(side.Faults) == 0 {
			continue
		}
		f := side.Faults[0]
		place := side.Input
		if f.Line > 0 {
			place += fmt.Sprintf(":%d:%d", f.Line, f.Column)
		}
		err := d.out.Fail(&cmdline.Hinted{Err: fmt.Errorf("%s: %s [%s]", place, f.Message, f.Rule), Hint: "`cupel evidence verify --all` lists every error of an input"})
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *diffRun) answer(c *bundle.Comparison) (report.Summary, error) {
	for _, side := range []*bundle.Side{&c.A, &c.B} {
		a := report.Answer{
			List: "inputs", Value: side, Subject: side.Input, Outcome: report.Outcome{Word: string(side.Kind), Weight: report.Good},
			Scope: []string{cmdline.Counted(int(side.Events), "event")}, Facts: sideFacts(side),
		}
		if err := d.out.Answer(a); err != nil {
			return report.Summary{}, err
		}
		if side.Mismatch > 0 {
			d.out.Warn(fmt.Sprintf("%s: events whose recorded hash does not match their content: %d; their content is compared", side.Input, side.Mismatch))
		}
	}
	sum := report.Summary{Value: newDiffTotals(c), Text: diffText(c), Weight: report.Good}
	if !c.Equal() {
		d.out.No()
		sum.Weight = report.Bad
	}
	return sum, nil
}

// sideFacts returns facts about an input for text output.
func sideFacts(s *bundle.Side) (facts []report.Fact) {
	for _, f := range []report.Fact{
		{Name: "run root", Value: s.RunRoot},
		{Name: "run", Value: s.Run.ID},
		{Name: "source", Value: s.Run.Source},
		{Name: "producer", Value: producerText(s.Run.Producer)},
		{Name: "time", Value: windowText(s.Run)},
	} {
		if f.Value != "" {
			facts = append(facts, f)
		}
	}
	return facts
}

type diffTotals struct {
	Equal    bool `json:"equal"` // the same content in the same order
	Same     int  `json:"same"`
	Removed  int  `json:"removed"`
	Added    int  `json:"added"`
	Changed  int  `json:"changed"`
	Moved    int  `json:"moved"`
	Envelope int  `json:"other_envelope"`

	Attributes []bundle.AttributeCount `json:"attributes,omitempty"`
}

func newDiffTotals(c *bundle.Comparison) diffTotals {
	return diffTotals{c.Equal(), c.Same, c.Removed, c.Added, c.Changed, c.Moved, c.Envelope, c.Attributes}
}

func diffText(c *bundle.Comparison) string {
	text := "same content in the same order"
	if !c.Equal() {
		text = fmt.Sprintf("content differs: %d removed, %d added, %d changed, %d moved, %d the same", c.Removed, c.Added, c.Changed, c.Moved, c.Same)
	}
	if c.Envelope == 0 {
		return text
	}
	var names []string
	for _, a := range c.Attributes {
		names = append(names, a.Name)
	}
	return fmt.Sprintf("%s; %s of the same content in another envelope: %s", text, cmdline.Counted(c.Envelope, "event"), strings.Join(names, ", "))
}
