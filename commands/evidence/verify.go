// Package evidencecmd implements the commands of `cupel evidence`.
package evidencecmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/incident"
	"github.com/cupel-dev/cupel/evidence/lint"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/walk"
)

// VerifyRun is the report of the command.
var VerifyRun = report.Run{
	Command: "evidence verify", Schema: "cupel.evidence/1", Lists: []string{"inputs", input.PassedOverList}, Rules: rulelist.EvidenceVerifyRules, Binds: true,
	Baseline: app.InvalidStays,
}

// VerifyCommand is `cupel evidence verify`.
func VerifyCommand(env cmdline.Env) *cli.Command {
	return app.Reporting(env, VerifyRun, &cli.Command{
		Name:      "verify",
		Usage:     "verify evidence bundles, streams of events and single events",
		ArgsUsage: "[PATH…]",
		UsageText: strings.Join([]string{
			"cupel evidence verify run.tar.gz",
			"cupel evidence verify --all --format json evidence/",
			"cupel evidence verify --expect-bundle-id sha256:6af106bde1b17c32d2b98ec4bef235816941008716f2d76207a75ee5749e6c5a run.tar.gz",
			"cupel evidence verify run.tar.gz --attestation run.att.json --key key.pub.pem",
			"cupel evidence verify run.tar.gz --attestation run.att.json --key key.pub.pem --reveal disclosed.json",
			"cupel evidence verify run.tar.gz --attestation run.att.json --key key.pub.pem --timestamp run.tsr --tsa-cert authority.pem",
		}, "\n"),
		Flags: slices.Concat(evidenceVerifyFlags(), app.AttestFlags(), input.PickFlags(), input.SharedFlags()),
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		return VerifyEvidence(env, c, out, input.OpenInputs)
	})
}

// VerifyEvidence runs the command on the inputs that find returns.
func VerifyEvidence(env cmdline.Env, c *cli.Context, out *app.Output, find input.Finder) (report.Summary, error) {
	v := &verifyRun{env: env, c: c, out: out, live: app.LiveFindings(c), passed: input.PassedOver{None: "no evidence"}}
	if c.Bool("follow") {
		defer input.HeedTermination(&v.env, v.c)()
	}
	var err error
	if v.opt, err = v.options(); err != nil {
		return report.Summary{}, err
	}
	if v.demands, err = app.ReadDemands(c); err != nil {
		return report.Summary{}, err
	}
	if v.attesting, err = readAttestation(c); err != nil {
		return report.Summary{}, err
	}
	if v.context, err = contextOf(c); err != nil {
		return report.Summary{}, err
	}
	if v.redacted, err = readRedaction(c); err != nil {
		return report.Summary{}, err
	}
	if v.disclosed, err = readDisclosed(c); err != nil {
		return report.Summary{}, err
	}
	if v.cited, err = openCitations(env, c, v.opt); err != nil {
		return report.Summary{}, err
	}
	defer v.cited.close()
	what := evidenceReads(&v.passed)
	what.Patterns = append(what.Patterns, packageFiles)
	v.read = v.digests()
	what.Digests = v.read
	inputs, err := find(env, c, what)
	if err == nil {
		err = v.passed.List(c, out)
	}
	if err == nil {
		err = app.OneOf(c, len(inputs), "follow", "expect-bundle-id", "expect-run-root", "expect-sha256", "attestation", "redaction", "reveal")
	}
	if err != nil {
		return report.Summary{}, err
	}
	out.Reads(len(inputs))
	v.many = len(inputs) > 1
	out.Plan(inputs)
	for _, in := range inputs {
		if err := v.input(in); err != nil {
			return v.summary(), err
		}
	}
	return v.summary(), nil
}

// digests returns the digests of the inputs, or nil for followed inputs.
func (v *verifyRun) digests() *app.Digests {
	if v.c.Bool("follow") {
		return nil
	}
	return v.out.Digests()
}

// verify verifies an input, and its events' content if the flags ask for it.
func (v *verifyRun) verify(ctx context.Context, r io.Reader, size int64, name string, opt bundle.Options) (*bundle.Report, error) {
	if v.c.Bool("payloads") {
		return lint.Verify(ctx, r, size, name, lint.Options{Verify: opt})
	}
	return bundle.Verify(ctx, r, size, name, opt)
}

func evidenceVerifyFlags() []cli.Flag {
	const category, limits = "Verify", "Limits"
	return slices.Concat(attestationFlags("Attestation"), app.TimestampFlags("Attestation", "attestation"), compatibleFlags(category), []cli.Flag{
		&cli.BoolFlag{Name: "all", Category: category, Usage: "continue after the first fault while the input is readable"},
		&cli.BoolFlag{Name: "follow", Category: category, Usage: "keep reading a growing stream until Ctrl-C; implies --all"},
		&cli.BoolFlag{Name: "strict", Category: category, Usage: "reject what readers accept but writers should not produce: unknown attributes, non-canonical lines, lines without LF, other algorithms"},
		&cli.BoolFlag{Name: "upstream-compatible", Category: category, Usage: "require assaygit, assaypii and assaysecrets, like the reference implementation"},
		&cli.BoolFlag{Name: "require-traceparent", Category: category, Usage: "require a well-formed traceparent of every event"},
		&cli.BoolFlag{Name: "check-time", Category: category, Usage: "reject events that are earlier than the previous one"},
		&cli.BoolFlag{Name: "payloads", Category: category, Usage: "also fail on errors of evidence lint: envelopes, payloads, the run and secrets"},
		&cli.BoolFlag{Name: "lenient-time", Category: category, Usage: "accept times with other offsets and spellings, and convert them"},
		&cli.StringFlag{Name: "expect-bundle-id", Category: category, Usage: "the bundle id must be `DIGEST`"},
		&cli.StringFlag{Name: "expect-run-root", Category: category, Usage: "the run root of the events must be `DIGEST`"},
		&cli.StringFlag{Name: "expect-sha256", Category: category, Usage: "the SHA-256 of the whole input must be `DIGEST`"},
		contextFlag(category),
		redactionFlag(category, "`FILE` with the report on the redaction whose output the input must be, as `cupel evidence redact --report` writes it"),
		app.RequireFlag(category),
		input.SourcesFlag(category),
		revealFlag(category, "`FILE` with disclosed values, which must be those that the bundle commits to, as `cupel evidence redact --disclose` writes it"),
		input.ShowFilesFlag(category),
		limitsFlag(limits),
		input.PackedFlag(limits),
		&cli.IntFlag{Name: "max-findings", Category: limits, Value: evidence.DefaultMaxFindings, Usage: "keep at most `N` errors and N notes of an input and count the rest; -1: all"},
		app.JobsFlag(limits),
	})
}

func bundleOptions(c *cli.Context) (opt bundle.Options, err error) {
	strict, err := app.Strict(c)
	if err != nil {
		return opt, err
	}
	opt = bundle.Options{
		All: c.Bool("all") || c.Bool("follow"), Strict: strict, UpstreamCompatible: c.Bool("upstream-compatible"),
		RequireTraceParent: c.Bool("require-traceparent"), CheckTime: c.Bool("check-time"), LenientTime: c.Bool("lenient-time"),
		MaxFindings: c.Int("max-findings"),
	}
	if opt.Compatible, err = compatibleOf(c); err != nil {
		return opt, err
	}
	for _, f := range []struct {
		name string
		to   *string
	}{{"expect-bundle-id", &opt.ExpectBundleID}, {"expect-run-root", &opt.ExpectRunRoot}, {"expect-sha256", &opt.ExpectSHA256}} {
		if *f.to, err = digestFlag(f.name, c.String(f.name)); err != nil {
			return opt, err
		}
	}
	if opt.Jobs, err = app.Jobs(c); err != nil {
		return opt, err
	}
	if opt.MaxFindings == 0 {
		return opt, cmdline.NoFindingsAsked()
	}
	if c.IsSet("limits") {
		opt.Limits, err = limitsOf(c.Context, c.String("limits"))
	}
	return opt, err
}

// digestFlag parses a digest with or without its prefix. "" stays "".
func digestFlag(flag, value string) (string, error) {
	if value == "" {
		return "", nil
	}
	sum, err := cmdline.DigestValue(flag, value, "`cupel evidence verify` prints the digits, and `sha256sum FILE` those of a file")
	return sum.String(), err
}

type verifyRun struct {
	env       cmdline.Env
	c         *cli.Context
	out       *app.Output
	live      bool // findings go out as they come
	sight     *eventsViewer
	read      *app.Digests // of the inputs; nil: nothing shows them
	opt       bundle.Options
	attesting *attestationOptions
	redacted  *redaction        // nil: the flags name none
	context   *incident.Context // of packages; nil: the flags name none
	demands   app.Demands
	disclosed *disclosureFile // nil: the flags name none
	cited     *citations      // nil: the flags name none
	links     bundle.Links
	many      bool // there are several inputs
	totals    bundleTotals
	passed    input.PassedOver

	unwritten error // of a finding that went out as it came
}

// options reads the flags. It streams findings if the formats allow it.
func (v *verifyRun) options() (bundle.Options, error) {
	opt, err := bundleOptions(v.c)
	if v.live {
		opt.OnFinding = func(f finding.Finding) {
			v.unwritten = cmp.Or(v.unwritten, v.out.Finding(f), v.out.Flush())
		}
	}
	return opt, err
}

type bundleTotals struct {
	Inputs   int   `json:"inputs"`
	Valid    int   `json:"valid"`
	Invalid  int   `json:"invalid"`
	Events   int64 `json:"events"`
	Errors   int   `json:"errors"`
	Warnings int   `json:"warnings"`
	Omitted  int   `json:"findings_omitted"`
	Passed   int   `json:"passed_over,omitempty"`
}

// input verifies one input. It reports unreadable input and continues; errors end the run.
func (v *verifyRun) input(in walk.Input) error {
	r, err := in.Open()
	if err != nil {
		v.out.Progress("", in.Size).End()
		return v.out.Fail(err)
	}
	if v.c.Bool("follow") && input.IsPacked(r) {
		_ = r.Close() // opened for reading: nothing can be lost
		return input.RefusePacked("follow", in.Name)
	}
	if file, ok := input.Followable(v.c, r); ok && !isBundle(file, in.Name) {
		return v.follow(in, file)
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	line := v.out.Progress("verifying "+in.Name, in.Size)
	defer line.End()
	head, is := packageHead(r)
	if is {
		return v.verifyPackage(in, head)
	}
	if v.context != nil {
		return v.out.Fail(&cmdline.Hinted{Err: fmt.Errorf("%q is not a package, but --context applies only to packages", in.Name), Hint: "`cupel evidence pack` makes a package of bundles"})
	}
	attested, err := v.attesting.of(v.env.Context, in)
	if err != nil {
		return v.out.Fail(err)
	}
	unchecked, err := v.attesting.unchecked(in)
	if err != nil {
		return v.out.Fail(err)
	}
	opt, events := v.opt, attested.events()
	opt.Each, opt.Attested, opt.Digest = v.cited.events(v.disclosed.events(v.redacted.events(events.each()))), attested != nil, v.redacted != nil
	opt.Compared = v.cited != nil
	v.redacted.announce(opt.OnFinding)
	attested.announce(opt.OnFinding)
	var text io.Reader = head
	if v.sight = nil; v.out.Shows("html") {
		v.sight = &eventsViewer{ctx: v.env.Context, limits: v.opt.Limits, compatible: v.opt.Compatible, policy: privacy.Default(), compares: true}
		v.sight.again, text = input.Reread(in, r, head)
	}
	answer, err := v.verify(v.env.Context, line.Reader(text), input.TextSize(in, r), in.Name, opt)
	line.End()
	if err != nil {
		return v.out.Unread(v.env.Context, in.Name, err)
	}
	if err := attested.judge(v.env.Context, answer, events, v.redacted, opt); err != nil {
		return v.out.Fail(err)
	}
	answer.NotCovered = append(answer.NotCovered, unchecked...)
	if err := v.redacted.judge(answer, opt); err != nil {
		return v.out.Fail(err)
	}
	if err := v.disclosed.judge(answer, opt); err != nil {
		return v.out.Fail(err)
	}
	if err := v.cited.judge(answer); err != nil {
		return v.out.Fail(err)
	}
	return errors.Join(v.unwritten, v.link(answer), v.answer(answer))
}

// link compares a stream with the inputs before it.
func (v *verifyRun) link(r *bundle.Report) error {
	for _, f := range v.links.Check(r, !v.many) {
		if v.live {
			if err := v.out.Finding(f); err != nil {
				return err
			}
		}
	}
	return nil
}
