package evidencecmd

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/projection"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/walk"
)

// DigestToolCommand is `cupel evidence digest tool`.
func DigestToolCommand(env cmdline.Env) *cli.Command {
	const category, checking = "Digest", "Check"
	return app.Reporting(env, digestRun("tool", "accepted findings do not cause exit code 1, but a tool without a digest or a digest mismatch does", digestNotProved, "tools", "inputs", "events"), &cli.Command{
		Name:      "tool",
		Usage:     "compute the digests of tool definitions and check recorded ones",
		ArgsUsage: "[FILE…]",
		UsageText: strings.Join([]string{
			"cupel evidence digest tool tools.json --server-id files",
			"cupel evidence digest tool tools.json --server-id files --check run.tar.gz",
			"cupel evidence digest tool --projection manifest-v0 tools.json",
		}, "\n"),
		Description: "A file holds a tool as tools/list lists it, an array of tools, a tools/list result or the\nJSON-RPC response with one. The server id is the caller's name for the server; it is\nnever read from a tool.",
		Flags: append(append([]cli.Flag{
			&cli.StringFlag{Name: "server-id", Category: category, Usage: "`ID` of the server that lists the tools (default: none)"},
			cmdline.OneOf(&cli.StringFlag{Name: "projection", Category: category, Value: projection.Definition.String(), Usage: "the digested part of a tool, by `NAME`: " + strings.Join(projection.Names(), " or ")}, cmdline.WordsOf(projection.Names(), cmdline.ProjectionMeans)...),
			&cli.BoolFlag{Name: "explain", Category: category, Usage: "show the canonical form that is digested"},
			&cli.IntFlag{Name: "max-tools", Category: category, Value: projection.DefaultMaxTools, Usage: "read at most `N` tools of a file"},
			input.MaxBytesFlag(category),
			&cli.StringSliceFlag{Name: "check", KeepSpace: true, Category: checking, Usage: "compare with the tool_definition_digest of the events in `PATH`, by tool name; repeatable"},
			&cli.BoolFlag{Name: "ignore-missing", Category: checking, Usage: "skip events about tools that are not given"},
		}, recordedEventFlags(checking)...), input.SharedFlags()...),
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		t := &toolDigests{out: out, check: c.IsSet("check"), ignoreMissing: c.Bool("ignore-missing")}
		err := t.all(env, c)
		return t.summary(), err
	})
}

// toolDigests is one run of the command.
type toolDigests struct {
	out           *app.Output
	opt           projection.ToolOptions
	maxBytes      int
	check         bool
	ignoreMissing bool
	given         projection.Definitions
	events        *recordedDigests
	totals        struct {
		Files  int `json:"files"`
		Tools  int `json:"tools"`
		Failed int `json:"undigested"` // tools without a digest
	}
}

func (t *toolDigests) all(env cmdline.Env, c *cli.Context) (err error) {
	if err := app.NotSharded(c, "check"); err != nil {
		return err
	}
	if err := t.flags(c); err != nil {
		return err
	}
	if t.events, err = newRecordedDigests(env, c, t.out, true); err != nil {
		return err
	}
	inputs, err := input.OpenInputs(env, c, input.Reads{Patterns: input.JSONFiles})
	if err == nil {
		err = stdinOnce(c, inputs)
	}
	if err != nil {
		return err
	}
	for _, in := range inputs {
		if err := t.input(in); err != nil {
			return err
		}
	}
	if !t.check {
		return nil
	}
	t.events.each = t.event
	if err := t.events.all(c, c.StringSlice("check")); err != nil {
		return err
	}
	return t.events.nothingCompared("records the digest of a tool that is given")
}

func (t *toolDigests) flags(c *cli.Context) (err error) {
	of, ok := projection.Named(c.String("projection"))
	switch {
	case !ok:
		return cmdline.BadValue("projection", c.String("projection"), projection.Names())
	case of == projection.Manifest && c.IsSet("server-id"):
		return &cmdline.UsageError{Message: "--server-id is not part of the projection " + of.String(), Hint: "use the projection " + projection.Definition.String() + ""}
	case of == projection.Manifest && t.check:
		return notRecorded(of, projection.Definition)
	case t.ignoreMissing && !t.check:
		return &cmdline.UsageError{Message: "--ignore-missing requires --check", Hint: "--check compares the digests that events record"}
	case !utf8.ValidString(c.String("server-id")):
		return &cmdline.UsageError{Message: "--server-id is not UTF-8", Hint: ""}
	}
	if t.maxBytes, err = input.Positive(c, "max-bytes"); err != nil {
		return err
	}
	t.opt = projection.ToolOptions{Of: of, ServerID: c.String("server-id"), Canonical: c.Bool("explain")}
	t.opt.MaxTools, err = input.Positive(c, "max-tools")
	return err
}

type toolRecord struct {
	Input      string  `json:"input"`
	Line       int     `json:"line"`
	Name       string  `json:"name"`
	Digest     string  `json:"digest"`
	Projection string  `json:"projection"`
	ServerID   *string `json:"server_id,omitempty"`
	Canonical  string  `json:"canonical,omitempty"`
}

type toolsRecord struct {
	Input    string            `json:"input"`
	Tools    int               `json:"tools"`
	Manifest *string           `json:"manifest_digest"`
	Findings []finding.Finding `json:"findings"`
}

func (t *toolDigests) input(in walk.Input) error {
	text, err := input.ReadWhole(in, t.maxBytes)
	if err != nil {
		return t.out.Fail(err)
	}
	list := projection.ReadTools(text, t.opt)
	t.given.Add(list.Tools)
	t.totals.Files++
	t.totals.Tools += len(list.Tools)
	if len(list.Tools)+len(list.Findings) == 0 && !t.events.allowEmpty {
		return t.out.Fail(&cmdline.Hinted{Err: fmt.Errorf("%q has no tools", in.Name), Hint: cmdline.AllowEmptyHint})
	}
	kept, err := t.out.OfFile(in.Name, list.Findings)
	for i := 0; i < len(list.Tools) && err == nil; i++ {
		err = t.tool(in.Name, list.Tools[i])
	}
	if err != nil {
		return err
	}
	for _, f := range list.Findings {
		if f.Severity == finding.Error {
			t.totals.Failed++
			t.out.No()
		}
	}
	return t.end(in.Name, list, kept)
}

// tool reports the digest of a tool. With --check, it is only compared.
func (t *toolDigests) tool(input string, tool projection.Tool) error {
	a := report.Answer{List: "tools", Subject: tool.Name, Value: toolRecord{
		Input: input, Line: tool.Line, Name: tool.Name, Digest: tool.Sum.String(), Projection: t.opt.Of.ID(),
		ServerID: nonEmpty(strings.TrimSpace(t.opt.ServerID)), Canonical: string(tool.Canonical),
	}}
	if !t.check {
		a.Listing = string(evidence.AppendSum(nil, evidence.EventSum, tool.Sum, tool.Name, 0))
		if tool.Canonical != nil {
			a.Facts = []report.Fact{{Name: "canonical", Value: string(tool.Canonical)}}
		}
	}
	return t.out.Answer(a)
}

func (t *toolDigests) end(name string, list projection.List, kept []finding.Finding) error {
	record := toolsRecord{Input: name, Tools: len(list.Tools), Findings: kept}
	a := report.Answer{List: "inputs", Subject: name, Findings: kept, Total: true}
	if list.Manifest != nil {
		record.Manifest = nonEmpty(list.Manifest.String())
		a.Listing = string(evidence.AppendSum(nil, evidence.ManifestSum, *list.Manifest, name, 0))
	}
	a.Value = record
	return t.out.Answer(a)
}

func (t *toolDigests) event(in *recordedInput, r *evidence.Result) error {
	c := t.given.Check(r.Event)
	if c.Verdict == projection.Unknown && t.ignoreMissing {
		t.events.totals.Unknown++
		return nil
	}
	return in.compared(r, c, "no definition")
}

func (t *toolDigests) summary() report.Summary {
	if !t.check || t.events == nil {
		return report.Summary{Value: t.totals}
	}
	text, weight := t.events.checked()
	e := t.events.totals
	e.Passed = len(t.events.passed.Files)
	return report.Summary{Value: struct {
		Files  int `json:"files"`
		Tools  int `json:"tools"`
		Failed int `json:"undigested"`
		digestTotals
	}{t.totals.Files, t.totals.Tools, t.totals.Failed, e}, Text: text, Weight: weight}
}
