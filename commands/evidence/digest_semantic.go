package evidencecmd

import (
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
)

// DigestSemanticCommand is `cupel evidence digest semantic`.
func DigestSemanticCommand(env cmdline.Env) *cli.Command {
	const category = "Digest"
	return app.Reporting(env, digestRun("semantic", "accepted findings do not cause exit code 1, but with --check a digest mismatch does", digestNotProved, "events"), &cli.Command{
		Name:      "semantic",
		Usage:     "compute the semantic digests of events (not an integrity proof)",
		ArgsUsage: "[PATH…]",
		UsageText: strings.Join([]string{
			"cupel evidence digest semantic events.ndjson",
			"cupel evidence digest semantic --profile example-profile-1 run.tar.gz",
			"cupel evidence digest semantic --check run.tar.gz",
		}, "\n"),
		Description: "The digest is of the event's data, with the members that are sets sorted and without\nrepetitions (" + strings.Join(projection.SetMembers(), ", ") + "). Events\nof one digest mean the same. It is not a content hash: changes outside of these\nmembers go unnoticed.",
		Flags: append(append([]cli.Flag{
			&cli.StringFlag{Name: "profile", Category: category, Usage: "digest under this canonicalization `PROFILE` (default: each event's own assaydigestprofile, or none)"},
			&cli.StringSliceFlag{Name: "set", KeepSpace: true, Category: category, Usage: "treat the member `NAME` of the data as a set; repeatable"},
			&cli.BoolFlag{Name: "check", Category: category, Usage: "require each recorded assaysemanticdigest to match"},
			&cli.BoolFlag{Name: "explain", Category: category, Usage: "show the canonical form that is digested"},
		}, recordedEventFlags(category)...), input.SharedFlags()...),
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		s := &semanticDigests{out: out, check: c.Bool("check"), explain: c.Bool("explain"), profile: c.String("profile")}
		err := s.all(env, c)
		return s.summary(), err
	})
}

const noIntegrity = "a semantic digest proves no integrity: order and repetitions in sets, and everything except data, can change unnoticed"

// semanticDigests is one run of the command.
type semanticDigests struct {
	out     *app.Output
	check   bool
	explain bool
	profile string
	digests *projection.Semantic
	events  *recordedDigests
}

func (s *semanticDigests) all(env cmdline.Env, c *cli.Context) (err error) {
	if !utf8.ValidString(s.profile) {
		return &cmdline.UsageError{Message: "--profile is not UTF-8", Hint: ""}
	}
	if s.events, err = newRecordedDigests(env, c, s.out, s.check); err != nil {
		return err
	}
	s.digests = projection.NewSemantic(c.StringSlice("set")...)
	s.events.each = s.event
	if err := s.events.all(c, c.Args().Slice()); err != nil || !s.check {
		return err
	}
	return s.events.nothingCompared("records a semantic digest of the profile")
}

func (s *semanticDigests) event(in *recordedInput, r *evidence.Result) error {
	profile := s.profile
	if profile == "" {
		profile = projection.ProfileOf(r.Event)
	}
	data := r.Event.Get(evidence.AttrData)
	if !data.Exists() {
		return nil // which is a fault of the event, and said
	}
	sum, canonical := s.digests.Sum(data, profile)
	c := s.digests.Check(r.Event, profile, sum)
	s.events.totals.count(c.Verdict)
	record := in.record(r, c)
	record.Findings = []finding.Finding{}
	record.Digest, record.Profile = nonEmpty(sum.String()), nonEmpty(profile)
	a := report.Answer{List: "events", Subject: in.placeOf(r, "")}
	line := r.Line
	if r.Alone {
		line = 0
	}
	a.Listing = string(evidence.AppendSum(nil, evidence.EventSum, sum, in.name, line))
	if s.explain {
		record.Canonical = string(canonical)
		a.Facts = []report.Fact{{Name: "canonical", Value: record.Canonical}}
	}
	if f := c.Finding; f != nil {
		if s.check {
			f.Severity, a.Weight = finding.Error, report.Bad
			s.out.No()
		}
		if err := in.finding(f); err != nil {
			return err
		}
		if s.out.Keep(*f) {
			record.Findings = append(record.Findings, *f)
		}
	}
	a.Value, a.Findings = record, record.Findings
	return s.out.Answer(a)
}

func (s *semanticDigests) summary() report.Summary {
	if s.events == nil {
		return report.Summary{}
	}
	t := s.events.totals
	t.Passed = len(s.events.passed.Files)
	value := struct {
		digestTotals
		NotCovered []string `json:"not_covered"`
	}{t, []string{noIntegrity}}
	text, weight := "", report.Plain
	if s.check {
		text, weight = s.events.checked()
		text += "; "
	}
	return report.Summary{Value: value, Text: text + noIntegrity, Weight: weight}
}
