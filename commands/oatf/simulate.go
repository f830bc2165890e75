package oatfcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/secrets"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/eval"
	"github.com/cupel-dev/cupel/oatf/model"
	"github.com/cupel-dev/cupel/oatf/simulate"
)

// SimulateCommand is `cupel oatf simulate`.
func SimulateCommand(env cmdline.Env) *cli.Command {
	run := report.Run{
		Command: "oatf simulate", Schema: "cupel.simulation/1", Lists: []string{"steps", "actors"},
		Formats: []string{"text", "json", "jsonl", "html", "markdown"}, Columns: stepColumns, Hide: app.Hider(secrets.Credentials),
		NotProved: []string{"whether an agent would react like this: the events were given, and nothing was sent"},
	}
	const category = "Simulation"
	return app.Reporting(env, run, &cli.Command{
		Name:      "simulate",
		Usage:     "simulate an attack on a list of events: phases, triggers, captured values and responses",
		ArgsUsage: "DOC",
		UsageText: strings.Join([]string{
			"cupel oatf simulate attack.yaml --events events.jsonl",
			"cupel oatf simulate attack.yaml --events session.jsonl --wait 10m --format json",
			"cupel oatf simulate attack.yaml --wait 1h",
		}, "\n"),
		Description: "Nothing is sent anywhere. An event is a line such as\n{\"event_type\":\"tools/call\",\"content\":{\"name\":\"calc\"},\"elapsed\":\"5s\"}, a JSON-RPC message or a\nrunner's line; `cupel help oatf` describes how actors react.",
		Flags: slices.Concat([]cli.Flag{
			&cli.StringSliceFlag{Name: "events", KeepSpace: true, Category: category, Usage: "messages of the agent, one JSON value per line: a `FILE`, folder or glob, or -; repeatable: one run, in this order"},
			&cli.StringFlag{Name: "wait", Category: category, Usage: "let this `TIME` pass after the last event, such as 30s or PT5M"},
			app.RevisionFlag(category, app.ByMarks),
			unknownFieldsFlag(category),
			maxStepsFlag(category, "of all extractors of a run"),
		}, generateFlags(category), captureFlags(category), input.InputFlags()),
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		r := &simulation{env: env, out: out}
		err := r.run(c)
		return r.summary(), err
	})
}

// simulation is one run of `cupel oatf simulate`.
type simulation struct {
	env      cmdline.Env
	out      *app.Output
	name     string // the document's
	revision oatf.Revision
	wait     time.Duration
	reading  capture.Options
	reader   *capture.Reader
	inputs   []string // the display names of those that the reader has had, by number
	sim      *simulate.Simulation
	counts   simulationCounts
}

func (r *simulation) run(c *cli.Context) error {
	inputs, err := r.readFlags(c)
	if err != nil {
		return err
	}
	name, loaded, err := loadOne(r.env, c, oatf.Limits{})
	if err != nil {
		return err
	}
	provider, err := generateCommand(r.env, c)
	if err != nil {
		return err
	}
	opt := simulate.Options{Each: r.step}
	if opt.MaxSteps, err = maxSteps(c); err != nil {
		return err
	}
	if provider != nil {
		opt.Generator = provider
		defer provider.close()
	}
	r.name, r.revision, r.counts.Revision = name, loaded.Document.Revision, loaded.Document.Revision
	if r.sim, err = simulate.New(loaded.Document, opt); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := r.fault(r.all(inputs)); err != nil {
		return err
	}
	return r.actors()
}

func (r *simulation) readFlags(c *cli.Context) (inputs []walk.Input, err error) {
	events := c.StringSlice("events")
	switch {
	case len(events) == 0 && !c.IsSet("wait"):
		return nil, &cmdline.UsageError{Message: "--events or --wait is required: without them nothing happens", Hint: "name a file of events with --events FILE; --events - reads standard input"}
	case slices.Contains(events, "-") && (c.NArg() == 0 || slices.Contains(c.Args().Slice(), "-")):
		return nil, &cmdline.UsageError{Message: walk.ErrStdinTwice.Error(), Hint: ""}
	}
	if c.IsSet("wait") {
		if r.wait, err = oatf.ParseDuration(c.String("wait")); err != nil {
			return nil, &cmdline.UsageError{Message: fmt.Sprintf("--wait is %q, expected a time such as 30s or PT5M", c.String("wait")), Hint: ""}
		}
	}
	if r.reading, err = captureOptions(c); err != nil || len(events) == 0 {
		return nil, err
	}
	r.reading.KeepParams = true
	return input.ExpandInputs(r.env, c, events, input.Reads{Patterns: input.JSONLines, Unpacks: true})
}

func (r *simulation) all(inputs []walk.Input) error {
	ctx := r.env.Context
	if err := r.sim.Begin(ctx); err != nil {
		return err
	}
	r.out.Plan(inputs)
	for _, in := range inputs {
		if err := r.input(in); err != nil {
			return err
		}
	}
	if r.counts.Events == 0 && r.wait == 0 {
		return &cmdline.Hinted{Err: errors.New("nothing to simulate: the inputs have no event"), Hint: "use --wait 1m to let time pass without an event"}
	}
	err := r.sim.Wait(ctx, r.wait)
	r.counts.Elapsed = seconds(r.sim.Now())
	if n := r.counts.Events; err == nil && n > 0 && r.counts.Ignored == n {
		r.out.Warn(fmt.Sprintf("no actor observes any of these %s", cmdline.Counted(n, "event")))
	}
	return err
}

// input processes the events of one input.
func (r *simulation) input(in walk.Input) error {
	file, err := in.Open()
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // opened for reading: nothing can be lost
	line := r.out.Progress("simulating "+in.Name, in.Size)
	defer line.End()
	if r.inputs = append(r.inputs, in.Name); r.reader == nil {
		r.reader = capture.NewReader(line.Reader(file), r.reading)
	} else {
		r.reader.Continue(line.Reader(file))
	}
	for {
		m, err := r.reader.Next()
		bad, isLine := errors.AsType[*capture.LineError](err)
		switch {
		case err == io.EOF:
			r.counts.BadLines += r.reader.Stats().BadLines - r.counts.unread
			r.counts.unread = r.reader.Stats().BadLines
			return nil
		case isLine:
			return r.badLine(in.Name, bad)
		case err != nil:
			return app.ReadFailed(in.Name, err)
		}
		if err := r.event(in.Name, m); err != nil {
			return err
		}
	}
}

// badLine returns the error for an unreadable line. It ends the simulation, because later states depend on the
// event.
func (r *simulation) badLine(input string, bad *capture.LineError) error {
	hint := bad.Hint
	if flag := limitFlags[bad.Limit]; flag != "" {
		hint = say.RaiseHint("--" + flag)
	}
	if hint == "" {
		hint = cmdline.SkipBadLinesHint
	}
	return &cmdline.Hinted{Err: fmt.Errorf("%s:%d:%d: %s", input, bad.Line, bad.Column, bad.Message), Hint: hint}
}

func (r *simulation) event(input string, m *capture.Message) error {
	e, err := simulate.EventOf(r.revision, m)
	switch {
	case err != nil && r.reading.SkipBadLines:
		r.counts.BadLines++
		return nil
	case err != nil:
		return &cmdline.Hinted{Err: fmt.Errorf("%s:%d: %w", input, m.Line, err), Hint: cmdline.SkipBadLinesHint}
	}
	if !e.Tick {
		r.counts.Events++
	}
	if err := r.sim.Take(r.env.Context, e); err != nil {
		if _, ok := errors.AsType[*oatf.EvaluationError](err); ok {
			return fmt.Errorf("%s:%d: %w", input, m.Line, err)
		}
		return err
	}
	return nil
}

// fault reports why the simulation was aborted.
func (r *simulation) fault(err error) error {
	failed, ok := errors.AsType[*model.GenerationError](err)
	if !ok {
		if errors.Is(err, eval.ErrSteps) {
			err = &cmdline.Hinted{Err: fmt.Errorf("%s: %w", r.name, err), Hint: say.RaiseHint("--max-steps")}
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			return r.out.Fail(err)
		}
		return err
	}
	if err := r.generationFault(failed); err != nil {
		return err
	}
	hint := ""
	if failed.Kind == model.GenerationProviderUnavailable {
		hint = "generate it with a program: --generate-command CMD"
	}
	return r.out.Fail(&cmdline.Hinted{Err: fmt.Errorf("%s: phase %q: %s [%s]; the prompt begins with %q", r.name, failed.PhaseName, failed.Message, failed.Kind, failed.PromptPreview), Hint: hint})
}
