package attestcmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/trajectory"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
)

var diffReport = report.Run{
	Command: "attest diff", Schema: "cupel.steps/1", Lists: []string{"differences", "inputs"},
	Formats:   []string{"text", "json", "jsonl", "html", "markdown"},
	NotProved: []string{"whether either run is right: only their differences are listed"},
}

// comparedParts are the values of --compare, with their meanings.
var comparedParts = []cmdline.Word{
	{Name: "names", Means: "types and names of the steps"},
	{Name: "args", Means: "… and their arguments"},
	{Name: "results", Means: "… and their results, and input and output of the traces"},
}

// compareFlag is --compare, whose value goes to into.
func compareFlag(into *string, usage string) cli.Flag {
	return cmdline.OneOf(&cli.StringFlag{Name: "compare", Category: "Steps", Value: "results", Destination: into, Usage: usage}, comparedParts...)
}

func comparedPart(name string) (trajectory.Compared, error) {
	var known []string
	for i, w := range comparedParts {
		if w.Name == name {
			return trajectory.Compared(i), nil
		}
		known = append(known, w.Name)
	}
	return 0, cmdline.BadValue("compare", name, known)
}

// DiffCommand is `cupel attest diff`.
func DiffCommand(env cmdline.Env) *cli.Command {
	d := &diffRun{env: env}
	var compare string
	return app.Reporting(env, diffReport, &cli.Command{
		Name:      "diff",
		Usage:     "compare the steps of two traces",
		ArgsUsage: "A B",
		UsageText: strings.Join([]string{
			"cupel attest diff yesterday.json today.json",
			"cupel attest diff --calls --compare args good.json bad.json",
			"cupel attest diff --from auto session.jsonl spans.json --format html=diff.html",
		}, "\n"),
		Flags: []cli.Flag{
			compareFlag(&compare, "`PART` of the steps that has to be equal: names, args or results; each includes those before it"),
			&cli.BoolFlag{Name: "calls", Category: "Steps", Destination: &d.opt.Calls, Usage: "compare only calls of tools, retrievals and agents"},
			importFlag("Input"),
			input.PackedFlag("Input"),
			stdinNameFlag(),
		},
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		d.out = out
		var err error
		if d.opt.Compare, err = comparedPart(compare); err != nil {
			return report.Summary{}, err
		}
		from, err := importFormat(c)
		if err != nil {
			return report.Summary{}, err
		}
		inputs, err := input.OpenInputs(env, c, dialogReads(c, &input.PassedOver{}))
		if err == nil && len(inputs) != 2 {
			err = notExpected(len(inputs), "two traces to compare", "`cupel attest diff A B` lists the differences")
		}
		if err != nil {
			return report.Summary{}, err
		}
		return d.compare(inputs[0], inputs[1], reading{attest.NewEngine(attest.Options{}), from})
	})
}

// notExpected returns the error for a wrong number of inputs.
func notExpected(inputs int, expected, hint string) error {
	are := fmt.Sprintf("are %d inputs", inputs)
	if inputs == 1 {
		are = "is 1 input"
	}
	return &cmdline.UsageError{Message: "there " + are + ", expected " + expected, Hint: hint}
}

// stdinNameFlag is --stdin-name of a command with a fixed number of inputs.
func stdinNameFlag() cli.Flag {
	return &cli.StringFlag{Name: "stdin-name", Category: "Input", Usage: "`PATH` that reports show for standard input"}
}

type diffRun struct {
	env cmdline.Env
	out *app.Output
	opt trajectory.Options
}

func (d *diffRun) compare(a, b walk.Input, how reading) (report.Summary, error) {
	var sides [2]namedTrace
	for i, in := range []walk.Input{a, b} {
		var err error
		if sides[i], err = how.one(in); err != nil {
			return report.Summary{}, err
		}
	}
	c, err := trajectory.Compare(how.engine, sides[0].TraceText, sides[1].TraceText, d.opt)
	if refused, ok := errors.AsType[*trajectory.TraceError](err); ok {
		side := sides[0]
		if refused.Second {
			side = sides[1]
		}
		return report.Summary{}, unusableTrace(side, refused.Err)
	}
	for i := range c.Differences {
		if err := d.difference(&c.Differences[i]); err != nil {
			return report.Summary{}, err
		}
	}
	for i, steps := range []int{c.StepsA, c.StepsB} {
		if err := d.side(sides[i], steps); err != nil {
			return report.Summary{}, err
		}
	}
	return d.summary(c), nil
}

// side reports an input.
func (d *diffRun) side(t namedTrace, steps int) error {
	value := struct {
		Trace    string           `json:"trace"`
		From     string           `json:"from,omitempty"` // format that the trace was converted from
		Steps    int              `json:"steps"`          // compared ones
		Coverage *attest.Coverage `json:"coverage,omitempty"`
	}{t.name, string(t.origin()), steps, t.Coverage}
	return d.out.Answer(report.Answer{
		List: "inputs", Value: value, Subject: t.name, Outcome: report.Outcome{Weight: report.Good, Word: "trace"},
		Scope: []string{cmdline.Counted(steps, "step")}, Remarks: t.readAs(),
	})
}

// stepMarks are the first characters of lines, by kind of difference.
var stepMarks = map[trajectory.Kind]string{trajectory.Removed: "-", trajectory.Added: "+", trajectory.Changed: "~"}

func (d *diffRun) difference(f *trajectory.Difference) error {
	subject := stepPlaces(f)
	if step := stepOf(f); step != nil {
		subject += fmt.Sprintf("  %s %s", step.Type, say.Preview(step.Name, say.Usual))
	}
	a := report.Answer{List: "differences", Value: f, Subject: subject, Outcome: report.Outcome{Weight: report.Bad, Word: string(f.Kind)}}
	a.Listing = stepMarks[f.Kind] + " " + say.Visible(subject)
	var pointers []string
	for _, c := range f.Changes {
		pointers = append(pointers, c.Pointer)
		a.Facts = append(a.Facts, report.Fact{Name: say.Visible(c.Pointer), Value: fmt.Sprintf("%s → %s", valueText(c.A), valueText(c.B))})
	}
	a.Reason = strings.Join(pointers, ", ")
	if f.Omitted > 0 {
		a.Remarks = []string{"and " + cmdline.Counted(f.Omitted, "more change")}
	}
	return d.out.Answer(a)
}

// stepOf returns the step of a difference in the first run, else the second, or nil for input and output.
func stepOf(f *trajectory.Difference) *trajectory.Step {
	if f.A != nil {
		return f.A
	}
	return f.B
}

// stepPlaces returns the place of a difference, in both traces if they differ.
func stepPlaces(f *trajectory.Difference) string {
	switch step := stepOf(f); {
	case step == nil:
		return "/" + f.Part
	case f.A != nil && f.B != nil && f.A.Path != f.B.Path:
		return f.A.Path + " → " + f.B.Path
	default:
		return step.Path
	}
}

func valueText(value *string) string {
	if value == nil {
		return "nothing"
	}
	return say.Visible(*value)
}

func (d *diffRun) summary(c *trajectory.Comparison) report.Summary {
	value := struct {
		Equal   bool                   `json:"equal"`
		Same    int                    `json:"same"` // steps
		Removed int                    `json:"removed"`
		Added   int                    `json:"added"`
		Changed int                    `json:"changed"`
		First   *trajectory.Difference `json:"first"` // where the runs part
		Coarse  bool                   `json:"coarse,omitempty"`
	}{len(c.Differences) == 0, c.Same, c.Count(trajectory.Removed), c.Count(trajectory.Added), c.Count(trajectory.Changed), c.First(), c.Coarse}
	s := report.Summary{Value: value, Text: fmt.Sprintf("%s, no difference", cmdline.Counted(c.Same, "step")), Weight: report.Good}
	if first := c.First(); first != nil {
		d.out.No()
		s.Weight = report.Bad
		s.Text = fmt.Sprintf("the runs part at %s: %d removed, %d added, %d changed, %d the same", stepPlaces(first), value.Removed, value.Added, value.Changed, value.Same)
	}
	if c.Coarse {
		s.Text += "; too many differences to match the steps between the first and the last one"
	}
	return s
}
