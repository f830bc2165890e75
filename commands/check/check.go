// Package checkcmd is `cupel check`.
package checkcmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/walk"
)

// Run is the report of `cupel check`. Its documents contain the reports of other commands unchanged.
var Run = report.Run{
	Command: "check", Schema: "cupel.check/1",
	Lists: []string{"documents", "findings", "inputs", input.PassedOverList}, Rules: rulelist.CheckedRules, Binds: true,
	Baseline: "accepted findings do not cause exit code 1, but an invalid or rejected input does",
	NotProved: []string{
		"whether skipped files contain records: cupel only looked at their names and first bytes",
		"whether records were deleted: only their run or a manifest shows that",
		"whether an attack works, or the events of a trace happened: cupel runs neither",
	},
}

// Command is `cupel check`.
//
// by are the commands that it calls, and tree is the tree that they are in.
func Command(env cmdline.Env, by *input.Checkers, tree func() *cli.App) *cli.Command {
	return input.Watching(env, app.Reporting(env, Run, &cli.Command{
		Name:      "check",
		Usage:     "detect and check every supported file in a folder",
		ArgsUsage: "[PATH…]",
		UsageText: strings.Join([]string{
			"cupel check",
			"cupel check --format text --format sarif=check.sarif records/",
			"cupel check --since main --exclude drafts/",
		}, "\n"),
		Description: "Without operands it checks the current folder. Each file goes to the checker of its format:\n`trace verify`, `evidence verify --all --payloads`, `oatf lint` or `attest validate`. Suites\nthat cupel.yaml pairs with traces go to `attest eval`. Other files are skipped and counted.\nThere is one report, and the worst exit code. cupel check never calls a model, and\nwrites only reports and what --fix mends.",
		Flags:       slices.Concat(checkFlags(), app.AttestFlags(), input.FixFlags("OATF documents"), input.PickFlags(), app.ConfigFlags("Input")),
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		k := &checkRun{env: env, c: c, out: out, by: by, tree: tree, searches: c.Bool("secrets")}
		err := k.all()
		return k.summary(), err
	}))
}

func checkFlags() []cli.Flag {
	const category, limits = "Check", "Limits"
	return []cli.Flag{
		&cli.BoolFlag{Name: "strict", Category: category, Usage: "pass --strict to every checker"},
		app.RequireFlag(category),
		input.WatchFlag(category),
		input.ShowFilesFlag(category),
		secretsFlag(category),
		app.ShardFlag("Input"),
		input.AllowEmptyFlag("Input"),
		app.JobsFlag(limits),
		input.PackedFlag(limits),
		&cli.IntFlag{Name: "max-findings", Category: limits, Usage: "report at most `N` findings of a file and count the rest (default: the command's)"},
	}
}

type checkRun struct {
	env      cmdline.Env
	c        *cli.Context
	out      *app.Output
	by       *input.Checkers
	tree     func() *cli.App
	files    [input.KindDialog + 1][]walk.Input // by their kinds
	passed   []passedRecord
	excluded int // of those
	pairs    []suitePair
	picked   input.Picked      // how the operands became files
	models   []finding.Finding // on assertions that ask a model
	totals   input.CheckTotals
	searches bool // files that are not records for secrets
}

// all finds the files, and has them checked.
func (k *checkRun) all() error {
	if k.c.IsSet("max-findings") {
		if err := app.AtLeastOne(k.c, "max-findings"); err != nil {
			return err
		}
	}
	if err := input.FixesAgree(k.c); err != nil {
		return err
	}
	if k.c.Bool("fix") && k.c.IsSet("attest") {
		return &cmdline.UsageError{Message: "--fix changes files, but --attest is about the files as they are", Hint: "run cupel check twice: first with --fix, then with --attest"}
	}
	demands, err := app.ReadDemands(k.c)
	if err != nil {
		return err
	}
	if err := k.find(); err != nil {
		return err
	}
	if k.c.Bool("show-config") {
		return k.configured()
	}
	if len(demands) > 0 && !k.picked.Changed && len(k.files[input.KindTrace])+len(k.files[input.KindEvidence]) == 0 {
		return &cmdline.Hinted{Err: errors.New("--require applies to logs and evidence, but the inputs have neither"), Hint: "name logs or evidence, or leave --require out"}
	}
	k.out.Plan(slices.Concat(k.files[:]...))
	for kind := range k.by.Records {
		if len(k.files[kind]) > 0 {
			if err := k.part(&k.by.Records[kind], k.files[kind], len(k.files[kind])); err != nil {
				return err
			}
		}
	}
	for _, p := range k.inOrder() {
		if err := k.evaluate(p); err != nil {
			return err
		}
	}
	for _, d := range k.out.Digests().All() {
		if err := k.out.Answer(report.Answer{List: "inputs", Value: d}); err != nil {
			return err
		}
	}
	return k.tellPassed()
}

// part runs a command on inputs. files is their number in the summary. An error ends the run.
func (k *checkRun) part(by *input.Checker, inputs []walk.Input, files int) error {
	line := cmdline.ReadArgs(k.tree(), k.arguments(by))
	if line.Err != nil {
		return line.Err
	}
	line.App.Metadata = k.c.App.Metadata // reuse what was read
	c, err := line.Context(k.env)
	if err != nil {
		return err
	}
	weigh, err := app.NewWeighing(c, rulelist.CheckedRules, by.Files)
	if err != nil {
		return err
	}
	run := by.Run
	if run.Binds {
		run.Bound = app.BoundTo(c)
	}
	out := k.out.Part(run, weigh)
	sum, err := by.Check(k.env, c, out, given(inputs))
	err = out.End(sum, err)
	k.totals.Add(by, files, out)
	if errors.Is(err, context.Canceled) {
		return err
	}
	return out.Broken
}

// arguments returns the arguments for a checker: its own and the applicable flags of check.
func (k *checkRun) arguments(by *input.Checker) []string {
	args := slices.Concat(strings.Fields(by.Run.Command), by.Flags)
	line := cmdline.ReadArgs(k.tree(), args)
	known := cmdline.FlagNames(line.Command())
	for _, f := range k.c.Command.Flags {
		name := f.Names()[0]
		if !k.c.IsSet(name) || !slices.Contains(known, name) {
			continue
		}
		for _, value := range flagValues(k.c, f) {
			args = append(args, "--"+name+"="+value)
		}
	}
	return slices.Concat(args, []string{"--"}, k.c.Args().Slice())
}

// flagValues returns the values of a flag.
func flagValues(c *cli.Context, f cli.Flag) []string {
	name := f.Names()[0]
	if cmdline.IsRepeatable(f) {
		return c.StringSlice(name)
	}
	return []string{fmt.Sprint(c.Value(name))}
}
