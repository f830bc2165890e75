package evidencecmd

import (
	"strings"

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

// DigestPolicyCommand is `cupel evidence digest policy`.
func DigestPolicyCommand(env cmdline.Env) *cli.Command {
	const category, limits = "Digest", "Limits"
	return app.Reporting(env, digestRun("policy", "accepted findings do not cause exit code 1, but a policy without a digest or a digest mismatch does", digestNotProved, "policies", "events"), &cli.Command{
		Name:      "policy",
		Usage:     "check that the two policy digests of events are the same",
		ArgsUsage: "[PATH…]",
		UsageText: strings.Join([]string{
			"cupel evidence digest policy run.tar.gz",
			"cupel evidence digest policy --experimental policy.json",
			"cupel evidence digest policy --experimental policy.json --check run.tar.gz",
		}, "\n"),
		Description: "Without --experimental the operands are events whose policy_snapshot_digest must equal\npolicy_digest. With it they are policies, and cupel computes their digests. The contract\ndefines no such digest; a policy with an unknown loaded form is rejected.",
		Flags: append(append([]cli.Flag{
			&cli.BoolFlag{Name: "experimental", Category: category, Usage: "compute policy digests, which the contract does not define"},
			cmdline.OneOf(&cli.StringFlag{Name: "projection", Category: category, Value: projection.Loaded.String(), Usage: "the digested part of a policy, by `NAME`: " + strings.Join(projection.PolicyNames(), " or ") + "; with --experimental"}, cmdline.WordsOf(projection.PolicyNames(), cmdline.ProjectionMeans)...),
			&cli.BoolFlag{Name: "explain", Category: category, Usage: "show the canonical form that is digested"},
			&cli.StringSliceFlag{Name: "check", KeepSpace: true, Category: category, Usage: "compare with the policy digests of the events in `PATH`; needs --experimental; repeatable"},
			input.MaxBytesFlag(limits),
		}, recordedEventFlags(limits)...), input.SharedFlags()...),
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		p := &policyDigests{out: out, explain: c.Bool("explain"), check: c.IsSet("check")}
		err := p.all(env, c)
		return p.summary(), err
	})
}

// policyDigests is one run of the command.
type policyDigests struct {
	out      *app.Output
	of       projection.PolicyOf
	maxBytes int
	explain  bool
	check    bool
	computes bool
	given    []projection.Policy
	events   *recordedDigests
}

func (p *policyDigests) all(env cmdline.Env, c *cli.Context) (err error) {
	if err := app.NotSharded(c, "check"); err != nil {
		return err
	}
	if err := p.flags(c); err != nil {
		return err
	}
	if p.events, err = newRecordedDigests(env, c, p.out, true); err != nil {
		return err
	}
	if !p.computes {
		p.events.each = p.paired
		if err := p.events.all(c, c.Args().Slice()); err != nil {
			return err
		}
		return p.events.nothingCompared("has policy_snapshot_digest and policy_digest")
	}
	if err := p.policies(env, c); err != nil || !p.check {
		return err
	}
	p.events.each = p.recorded
	if err := p.events.all(c, c.StringSlice("check")); err != nil {
		return err
	}
	return p.events.nothingCompared("records the digest of a policy")
}

func (p *policyDigests) flags(c *cli.Context) (err error) {
	p.computes = c.Bool("experimental")
	if !p.computes {
		for _, name := range []string{"projection", "explain", "check"} {
			if c.IsSet(name) {
				return &cmdline.UsageError{Message: "--" + name + " applies to policy digests, which are experimental", Hint: "add --experimental to compute them"}
			}
		}
	}
	of, ok := projection.PolicyNamed(c.String("projection"))
	switch {
	case !ok:
		return cmdline.BadValue("projection", c.String("projection"), projection.PolicyNames())
	case of == projection.Declared && p.check:
		return notRecorded(of, projection.Loaded)
	}
	p.of = of
	p.maxBytes, err = input.Positive(c, "max-bytes")
	return err
}

func (p *policyDigests) paired(in *recordedInput, r *evidence.Result) error {
	return in.compared(r, projection.CheckPolicy(r.Event), "no policy_digest")
}

func (p *policyDigests) recorded(in *recordedInput, r *evidence.Result) error {
	return in.compared(r, projection.CheckPolicyDigest(r.Event, p.given), "no policy")
}

func (p *policyDigests) policies(env cmdline.Env, c *cli.Context) error {
	inputs, err := input.OpenInputs(env, c, input.Reads{Patterns: input.JSONFiles})
	if err == nil {
		err = stdinOnce(c, inputs)
	}
	if err != nil {
		return err
	}
	p.out.Warn("policy digests are experimental: they follow the contract, but no published digest confirms them")
	for _, in := range inputs {
		if err := p.policy(in); err != nil {
			return err
		}
	}
	return nil
}

type policyRecord struct {
	Input        string            `json:"input"`
	Digest       *string           `json:"digest"`
	Projection   string            `json:"projection"`
	Experimental bool              `json:"experimental"`
	Canonical    string            `json:"canonical,omitempty"`
	Findings     []finding.Finding `json:"findings"`
}

func (p *policyDigests) policy(in walk.Input) error {
	text, err := input.ReadWhole(in, p.maxBytes)
	if err != nil {
		return p.out.Fail(err)
	}
	digested, findings, ok := projection.ReadPolicy(text, p.of)
	kept, err := p.out.OfFile(in.Name, findings)
	if err != nil {
		return err
	}
	record := policyRecord{Input: in.Name, Projection: p.of.String(), Experimental: true, Findings: kept}
	a := report.Answer{List: "policies", Subject: in.Name, Findings: kept}
	if !ok {
		p.out.No()
		a.Value, a.Outcome = record, report.Outcome{Weight: report.Bad, Word: "no digest", Reason: findings[0].Message}
		return p.out.Answer(a)
	}
	p.given = append(p.given, projection.Policy{Sum: digested.Sum})
	record.Digest = nonEmpty(digested.Sum.String())
	if !p.check {
		a.Listing = string(evidence.AppendSum(nil, evidence.EventSum, digested.Sum, in.Name, 0))
	}
	if p.explain {
		record.Canonical = string(digested.Canonical)
		a.Facts = []report.Fact{{Name: "canonical", Value: record.Canonical}}
	}
	a.Value = record
	return p.out.Answer(a)
}

func (p *policyDigests) summary() report.Summary {
	if p.events == nil || p.computes && !p.check {
		return report.Summary{Value: struct {
			Policies int `json:"policies"`
		}{len(p.given)}}
	}
	text, weight := p.events.checked()
	t := p.events.totals
	t.Passed = len(p.events.passed.Files)
	return report.Summary{Value: t, Text: text, Weight: weight}
}
