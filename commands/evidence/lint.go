package evidencecmd

import (
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/lint"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/walk"
)

// LintRun is the report of the command.
var LintRun = report.Run{
	Command: "evidence lint", Schema: "cupel.evidence-lint/1", Lists: []string{"inputs", input.PassedOverList}, Rules: rulelist.EvidenceLintRules,
	Baseline: app.InvalidStays,
	NotProved: []string{
		"whether an event is true: only its form is checked",
		"whether private data is left: redaction searches for known forms of secrets, paths and names",
	},
}

// LintCommand is `cupel evidence lint`.
func LintCommand(env cmdline.Env) *cli.Command {
	return input.Watching(env, app.Reporting(env, LintRun, &cli.Command{
		Name:      "lint",
		Usage:     "check the content of evidence: envelopes, payloads, the run, and secrets",
		ArgsUsage: "[PATH…]",
		UsageText: strings.Join([]string{
			"cupel evidence lint run.tar.gz",
			"cupel evidence lint --select EV-4 --format sarif=lint.sarif --format text evidence/",
			"cupel evidence lint --write-baseline accepted.json run.ndjson && cupel evidence lint --baseline accepted.json run.ndjson",
		}, "\n"),
		Flags: slices.Concat(evidenceLintFlags(), policyFlags("Classes"), input.PickFlags(), input.SharedFlags()),
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		l := &lintRun{env: env, out: out, passed: input.PassedOver{None: "no evidence"}}
		var err error
		if l.opt, err = evidenceLintOptions(env, c); err != nil {
			return report.Summary{}, err
		}
		l.opt.Keep = out.Pass
		inputs, err := input.OpenInputs(env, c, evidenceReads(&l.passed))
		if err == nil {
			err = l.passed.List(c, out)
		}
		out.Reads(len(inputs))
		out.Plan(inputs)
		for i := 0; i < len(inputs) && err == nil; i++ {
			err = l.input(inputs[i])
		}
		return l.summary(), err
	}))
}

func evidenceLintFlags() []cli.Flag {
	const category, limits = "Lint", "Limits"
	return append(compatibleFlags(category), []cli.Flag{
		&cli.BoolFlag{Name: "no-verify", Category: category, Usage: "check the content only: no hashes, sequence numbers or manifests"},
		&cli.BoolFlag{Name: "strict", Category: category, Usage: "also report members that ADR-006 does not name; personal data and home folders become errors"},
		cmdline.OneOf(&cli.StringFlag{Name: "engine", Category: category, Value: "fast", Usage: "`ENGINE` that checks payload schemas: fast, reference, or both (stop at a difference)"}, cmdline.EngineWords...),
		input.ShowFilesFlag(category),
		input.WatchFlag(category),
		limitsFlag(limits),
		input.PackedFlag(limits),
		&cli.IntFlag{Name: "max-findings", Category: limits, Value: evidence.DefaultMaxFindings, Usage: "report at most `N` findings of an input and `N` of its verification, and count the rest; -1: all"},
		app.JobsFlag(limits),
	}...)
}

func evidenceLintOptions(env cmdline.Env, c *cli.Context) (opt lint.Options, err error) {
	opt.NoVerify = c.Bool("no-verify")
	if opt.Payload.Strict, err = app.Strict(c); err != nil {
		return opt, err
	}
	if opt.Verify.Compatible, err = compatibleOf(c); err != nil {
		return opt, err
	}
	opt.Verify.MaxFindings = c.Int("max-findings")
	if opt.Verify.MaxFindings == 0 {
		return opt, cmdline.NoFindingsAsked()
	}
	if opt.Payload.Engine, err = engineOf(c.String("engine")); err != nil {
		return opt, err
	}
	by, err := readPolicy(env, c)
	if err != nil {
		return opt, err
	}
	opt.Policy = by.Policy
	if opt.Verify.Jobs, err = app.Jobs(c); err == nil && c.IsSet("limits") {
		opt.Verify.Limits, err = limitsOf(c.Context, c.String("limits"))
	}
	return opt, err
}

type lintRun struct {
	env    cmdline.Env
	out    *app.Output
	opt    lint.Options
	totals evidenceLintTotals
	passed input.PassedOver
	sight  *eventsViewer
}

type evidenceLintTotals struct {
	Inputs   int   `json:"inputs"`
	Invalid  int   `json:"invalid"` // of them, those that do not verify
	Events   int64 `json:"events"`
	Errors   int   `json:"errors"`
	Warnings int   `json:"warnings"`
	Infos    int   `json:"infos"`
	Omitted  int   `json:"findings_omitted"`
	Passed   int   `json:"passed_over,omitempty"`
}

// input checks one input. It reports unreadable input and continues; errors end the run.
func (l *lintRun) input(in walk.Input) error {
	line := l.out.Progress("linting "+in.Name, in.Size)
	defer line.End()
	r, err := in.Open()
	if err != nil {
		return l.out.Fail(err)
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	opt := l.opt
	opt.Wanted, opt.Ignored = l.out.Wanted(in.Name)
	var text io.Reader = r
	if l.sight = nil; l.out.Shows("html") {
		l.sight = &eventsViewer{ctx: l.env.Context, limits: opt.Verify.Limits, compatible: opt.Verify.Compatible, policy: opt.Policy, compares: !opt.NoVerify}
		l.sight.again, text = input.Reread(in, r, r)
	}
	answer, err := lint.Lint(l.env.Context, line.Reader(text), input.TextSize(in, r), in.Name, opt)
	line.End()
	if err != nil {
		return l.out.Unread(l.env.Context, in.Name, err)
	}
	return l.answer(answer)
}

func (l *lintRun) answer(r *lint.Report) error {
	l.count(r)
	for _, f := range r.Findings {
		if err := l.out.Finding(f); err != nil {
			return err
		}
	}
	shown := r.Findings
	if rest := l.rest(r); rest != nil {
		if err := l.out.Rest(*rest, r.Omitted); err != nil {
			return err
		}
		shown = append(slices.Clip(shown), *rest)
	}
	a := report.Answer{
		List: "inputs", Value: lintedEvidence{r, shown}, Subject: r.Input, Outcome: evidenceLintOutcome(r),
		Scope: []string{string(r.Kind), cmdline.Counted(int(r.Events), "event")}, Facts: integrityFacts(r), Findings: shown, Brief: true,
		View: l.sight.of(r.Kind, r.Events, r.Integrity, shown),
	}
	if r.Invalid() {
		l.out.No()
	}
	return l.out.Answer(a)
}
