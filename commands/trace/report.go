package tracecmd

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

// groundingForms are the formats of `trace report`.
var groundingForms = app.Forms[grounded]{{Name: "text", Write: groundingText}, {Name: "json", Write: groundingJSON}, {Name: "dot", Write: groundingDOT}, {Name: "html", Write: groundingPage("html")}, {Name: "markdown", Write: groundingPage("markdown")}}

// ReportCommand is `cupel trace report`.
func ReportCommand(env cmdline.Env) *cli.Command {
	return app.ShowingConfig(env, app.Showing(env, app.Shown{Run: reportRun, Schema: groundingSchema, Lists: []string{"claims", "unused_evidence"}}, groundingForms, &cli.Command{
		Name:      "report",
		Usage:     "show the support of each claim of a reasoning trace, or the course of transcripts",
		ArgsUsage: "[PATH…]",
		UsageText: strings.Join([]string{
			"cupel trace report run/",
			"cupel trace report --format json run/trace.jsonl",
			"cupel trace report --format dot run/ | dot -Tsvg > run.svg",
			"cupel trace report ~/.claude/projects/app/session.jsonl",
			"cupel trace report ~/.claude/projects",
			"cupel trace report --format html session.jsonl > session.html",
		}, "\n"),
		Description: "For a transcript of a coding agent: turns, tools with their failures, models, tokens counted\nonce, files and findings. For a folder of transcripts, or several: their sums, with each model\ncall counted once over all files. For a reasoning trace: each claim with the bytes that it cites,\nwhether their hashes match, and whether it rests on evidence or only on other claims; and\nuncited evidence. With --format html, a page of the conversation or the trace, with these figures\nand the findings in place. The verdict and the exit code are those of `cupel trace verify`.",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "format", Category: "Output", Value: "text", Usage: "`FORMAT`: text, json, dot, html or markdown"},
			&cli.StringFlag{Name: "evidence-root", Category: "Input", Usage: "`DIR` that content_path is relative to (default: the trace's own)"},
			input.PackedFlag("Input"),
			app.JobsFlag("Limits"),
		}, input.InputFlags()...),
	}, func(c *cli.Context) (grounded, error) { return traceReport(env, c) }))
}

// traceReport returns the claims' evidence, with ErrNo for a failed verdict.
func traceReport(env cmdline.Env, c *cli.Context) (grounded, error) {
	inputs, err := input.OpenInputs(env, c, input.Reads{As: input.KindTrace, Patterns: input.LogFiles, Marker: input.RunFile, Probe: input.Of(input.KindTrace), Unpacks: true})
	if err != nil {
		return grounded{}, err
	}
	if len(inputs) != 1 {
		return folderReport(env, c, inputs)
	}
	g, err := ground(env, c, inputs[0])
	switch {
	case err != nil:
		return grounded{}, err
	case g.session != nil:
		if g.session.verdict.Verdict.Bad() {
			err = cmdline.ErrNo
		}
	case g.verdict.Family != trace.Reasoning && g.verdict.Family != trace.Unknown:
		return grounded{}, &cmdline.Hinted{Err: fmt.Errorf("%q is a session log, which has no claims", inputs[0].Name), Hint: "check the log with `cupel trace verify`"}
	case g.verdict.Verdict != trace.Valid:
		err = cmdline.ErrNo
	}
	return g, err
}

// ground reads the trace once for its verdict and the basis of its claims, or for the events of a transcript.
func ground(env cmdline.Env, c *cli.Context, in walk.Input) (g grounded, err error) {
	file, err := in.Open()
	if err != nil {
		return g, err
	}
	defer func() { _ = file.Close() }() // opened for reading: nothing can be lost
	opt := trace.Options{Name: in.Name, Diagnose: true}
	text := io.Reader(file)
	if c.String("format") == "html" {
		g.views, text = viewsOf(env.Context, c, in, file, opt)
	}
	r := bufio.NewReaderSize(text, headBytes)
	if isTranscript(r) {
		g.session, err = summarized(env, c, in, r)
		return g, err
	}
	around, err := openAround(c, in, &opt.Reasoning)
	defer around.close()
	if err != nil {
		return g, err
	}
	g.verdict, g.Grounding, err = trace.Ground(env.Context, r, opt)
	switch {
	case env.Context.Err() != nil:
		return g, env.Context.Err()
	case err != nil:
		return g, explained(in, err)
	}
	return g, nil
}

// headBytes is the size of the input's start that is examined for a transcript.
const headBytes = 64 << 10

// isTranscript reports whether an input starts like a transcript. It does not consume the input.
func isTranscript(r *bufio.Reader) bool {
	head, err := r.Peek(headBytes)
	_, ok := trace.IsTranscript(head, err != nil)
	return ok
}
