package attestcmd

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/importer"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/report"
)

// ValidateRun is the report of the command.
var ValidateRun = report.Run{
	Command: "attest validate", Schema: "cupel.validate/1", Lists: []string{"traces", input.PassedOverList}, Rules: attest.Rules,
	Baseline:  "an invalid trace still fails",
	NotProved: []string{"whether a trace is true, or the agent did well: only the form is checked"},
}

// ValidateCommand is `cupel attest validate`.
func ValidateCommand(env cmdline.Env) *cli.Command {
	return app.Reporting(env, ValidateRun, &cli.Command{
		Name:      "validate",
		Usage:     "run the trace validation of the attest protocol alone",
		ArgsUsage: "TRACE…",
		UsageText: strings.Join([]string{
			"cupel attest validate trace.json",
			"cupel attest validate --lax runs/",
			"cupel attest validate --format jsonl - < traces.jsonl",
		}, "\n"),
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "strict", Category: "Validation", Usage: "reject unknown step types (the default)"},
			&cli.BoolFlag{Name: "lax", Category: "Validation", Usage: "tolerate unknown step types"},
			&cli.StringFlag{Name: "engine-config", Category: "Validation", Usage: "`FILE` with the engine's configuration (YAML or JSON), for its limits"},
			importFlag("Validation"),
			&cli.BoolFlag{Name: "print", Category: "Validation", Usage: "show the traces that --from made; in JSON, as the member \"made\""},
			input.ShowFilesFlag("Validation"),
			app.JobsFlag("Validation"),
			input.PackedFlag("Input"),
		}, append(memoryFlags("Validation"), input.SharedFlags()...)...),
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		return ValidateTraces(env, c, out, input.OpenInputs)
	})
}

// ValidateTraces runs the command on the inputs that find returns.
func ValidateTraces(env cmdline.Env, c *cli.Context, out *app.Output, find input.Finder) (report.Summary, error) {
	v := &validateRun{env: env, out: out}
	err := v.all(c, find)
	return v.summary(), err
}

type validateRun struct {
	env    cmdline.Env
	out    *app.Output
	engine *attest.Engine
	print  bool // also print converted traces
	passed input.PassedOver
	counts struct {
		Traces  int `json:"traces"`
		Valid   int `json:"valid"`
		Invalid int `json:"invalid"`
		Passed  int `json:"passed_over,omitempty"`
	}
}

func (v *validateRun) all(c *cli.Context, find input.Finder) error {
	config, err := engineConfig(v.env, c, "engine-config")
	if err != nil {
		return err
	}
	v.engine, v.print = attest.NewEngine(config.Engine), c.Bool("print")
	what := dialogReads(c, &v.passed)
	what.Digests = v.out.Digests()
	inputs, err := find(v.env, c, what)
	if err == nil {
		err = v.passed.List(c, v.out)
	}
	if err != nil {
		return err
	}
	v.out.Reads(len(inputs))
	from, err := importFormat(c)
	if err != nil {
		return err
	}
	return traceWork[*attest.Error]{out: v.out, engine: v.engine, from: from, memory: config.Memory, work: v.validate, deliver: v.trace, fail: v.fail}.run(v.env, c, inputs)
}

func (v *validateRun) fail(_ string, cause error) error { return v.out.Fail(cause) }

// traceElement is an element of "traces".
type traceElement struct {
	Trace string            `json:"trace"`
	From  importer.Format   `json:"from,omitempty"` // format that the trace was converted from, …
	Also  []importer.Format `json:"also,omitempty"` // other possible formats
	Valid bool              `json:"valid"`

	Coverage *attest.Coverage `json:"coverage,omitempty"` // of an import: what was read and lost
	Error    json.RawMessage  `json:"error,omitempty"`    // the protocol's error object
	Made     json.RawMessage  `json:"made,omitempty"`     // the trace
}

func (v *validateRun) validate(t namedTrace) *attest.Error {
	return t.refusal(v.engine.ValidateText)
}

func (v *validateRun) trace(t namedTrace, refused *attest.Error) error {
	v.counts.Traces++
	if refused == nil {
		v.counts.Valid++
		return v.out.Answer(report.Answer{
			List: "traces", Value: traceElement{Trace: t.name, From: t.origin(), Also: t.Also, Valid: true, Made: v.made(t), Coverage: t.Coverage},
			Subject: t.name, Remarks: v.remarks(t), Outcome: report.Outcome{Weight: report.Good, Word: "valid"}, Implied: true, Brief: true,
		})
	}
	v.counts.Invalid++
	v.out.No()
	return errors.Join(
		v.out.Finding(t.finding(refused)),
		v.out.Answer(report.Answer{
			List: "traces", Value: traceElement{Trace: t.name, From: t.origin(), Also: t.Also, Error: refused.AppendJSON(nil), Made: v.made(t)},
			Subject: t.name, Remarks: v.remarks(t), Outcome: report.Outcome{Weight: report.Bad, Word: "invalid", Reason: refused.Message}, Implied: true,
		}))
}

// made returns the converted trace for --print, or nil.
func (v *validateRun) made(t namedTrace) json.RawMessage {
	if !v.print || t.Origin == nil {
		return nil
	}
	return t.Raw
}

func (v *validateRun) remarks(t namedTrace) []string {
	said := t.readAs()
	if made := v.made(t); made != nil {
		said = append(said, string(made))
	}
	return said
}

func (v *validateRun) summary() report.Summary {
	v.counts.Passed = len(v.passed.Files)
	s := report.Summary{Value: v.counts, Tally: &report.Tally{Noun: "trace", Total: v.counts.Valid + v.counts.Invalid, Failed: v.counts.Invalid, Errors: v.counts.Invalid, Rest: v.passed.Rest()}, Weight: report.Good}
	if v.counts.Invalid > 0 {
		s.Weight = report.Bad
	}
	return s
}
