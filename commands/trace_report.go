package commands

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

// groundingForms are the formats of `trace report`.
var groundingForms = forms[grounded]{{"text", groundingText}, {"json", groundingJSON}, {"dot", groundingDOT}}

// traceReportCommand is `cupel trace report`.
func traceReportCommand(env Env) *cli.Command {
	return showingConfig(env, showing(env, shown{groundingSchema, []string{"claims", "unused_evidence"}}, groundingForms, &cli.Command{
		Name:      "report",
		Usage:     "show what each claim of a reasoning trace rests on",
		ArgsUsage: "[PATH]",
		UsageText: strings.Join([]string{
			"cupel trace report run/",
			"cupel trace report --format json run/trace.jsonl",
			"cupel trace report --format dot run/ | dot -Tsvg > run.svg",
		}, "\n"),
		Description: "For each claim: the bytes that it cites and whether they hold, and whether it rests\non evidence at all or only on other claims; and the evidence that nothing cites.\nThe exit code is that of `cupel trace verify`, whose verdict is shown too.",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "format", Category: "Output", Value: "text", Usage: "`FORMAT`: text, json or dot"},
			&cli.StringFlag{Name: "evidence-root", Category: "Input", Usage: "`DIR` that content_path is relative to (default: the trace's own)"},
			packedFlag("Input"),
		}, inputFlags()...),
	}, func(c *cli.Context) (grounded, error) { return traceReport(env, c) }))
}

// traceReport is what the claims of the trace rest on, with errNo when its verdict is no.
func traceReport(env Env, c *cli.Context) (grounded, error) {
	inputs, err := openInputs(env, c, reads{As: kindTrace, Patterns: jsonLines, Marker: runFile, Probe: walk.Passing(mayBeTrace), Unpacks: true})
	if err != nil {
		return grounded{}, err
	}
	if len(inputs) != 1 {
		return grounded{}, &usageError{fmt.Sprintf("a report is of one trace, but there are %d inputs", len(inputs)), ""}
	}
	verdict, grounding, err := ground(env, c, inputs[0])
	switch {
	case err != nil:
		return grounded{}, err
	case verdict.Family != trace.Reasoning && verdict.Family != trace.Unknown:
		return grounded{}, &hinted{fmt.Errorf("%q is a session log, which makes no claims", inputs[0].Name), "`cupel trace verify` checks it"}
	case verdict.Verdict != trace.Valid:
		err = errNo
	}
	return grounded{grounding, verdict.Input, verdict.Verdict}, err
}

// ground reads the trace once, for its verdict and for what its claims rest on.
func ground(env Env, c *cli.Context, in walk.Input) (*trace.Report, *trace.Grounding, error) {
	r, err := in.Open()
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	opt := trace.Options{Name: in.Name}
	around, err := openAround(c, in, &opt.Reasoning)
	defer around.close()
	if err != nil {
		return nil, nil, err
	}
	verdict, grounding, err := trace.Ground(env.Context, r, opt)
	switch {
	case env.Context.Err() != nil:
		return nil, nil, env.Context.Err()
	case err != nil:
		return nil, nil, explained(in, err)
	}
	return verdict, grounding, nil
}
