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
	"github.com/cupel-dev/cupel/internal/walk"
)

// DigestJSONCommand is `cupel evidence digest json`.
func DigestJSONCommand(env cmdline.Env) *cli.Command {
	const category = "Digest"
	return app.Reporting(env, digestRun("json", "accepted findings do not cause exit code 1, but a file without a digest does", []string{"who wrote the document"}, "inputs"), &cli.Command{
		Name:      "json",
		Usage:     "compute the digests of JSON files in canonical form (RFC 8785)",
		ArgsUsage: "[FILE…]",
		UsageText: strings.Join([]string{
			"cupel evidence digest json target.json --domain assay.mcp.target.v0",
			"cupel evidence digest json --explain mandate.json",
			"cupel evidence digest json - < record.json",
		}, "\n"),
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "domain", Category: category, Usage: "prefix the canonical form with `TEXT` and a zero byte"},
			&cli.BoolFlag{Name: "explain", Category: category, Usage: "show the canonical form that is digested"},
			input.MaxBytesFlag(category),
		}, input.SharedFlags()...),
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		j := &jsonDigests{out: out, domain: c.String("domain"), explain: c.Bool("explain")}
		err := j.all(env, c)
		return report.Summary{Value: j.totals}, err
	})
}

// jsonDigests is one run of the command.
type jsonDigests struct {
	out     *app.Output
	domain  string
	explain bool
	most    int
	totals  struct {
		Inputs int `json:"inputs"`
		Failed int `json:"undigested"`
	}
}

func (j *jsonDigests) all(env cmdline.Env, c *cli.Context) (err error) {
	if !utf8.ValidString(j.domain) || strings.Contains(j.domain, "\x00") {
		return &cmdline.UsageError{Message: "--domain must be UTF-8 without a NUL byte", Hint: "remove the NUL byte: it would end the domain"}
	}
	if j.most, err = input.Positive(c, "max-bytes"); err != nil {
		return err
	}
	inputs, err := input.OpenInputs(env, c, input.Reads{Patterns: input.JSONFiles})
	for i := 0; i < len(inputs) && err == nil; i++ {
		err = j.input(inputs[i])
	}
	return err
}

type jsonRecord struct {
	Input     string            `json:"input"`
	Digest    *string           `json:"digest"`
	Domain    *string           `json:"domain,omitempty"`
	Canonical string            `json:"canonical,omitempty"`
	Findings  []finding.Finding `json:"findings"`
}

func (j *jsonDigests) input(in walk.Input) error {
	text, err := input.ReadWhole(in, j.most)
	if err != nil {
		return j.out.Fail(err)
	}
	j.totals.Inputs++
	sum, canonical, findings, ok := projection.JSON(text, j.domain)
	kept, err := j.out.OfFile(in.Name, findings)
	if err != nil {
		return err
	}
	record := jsonRecord{Input: in.Name, Domain: nonEmpty(j.domain), Findings: kept}
	a := report.Answer{List: "inputs", Subject: in.Name, Findings: kept}
	if !ok {
		j.out.No()
		j.totals.Failed++
		a.Value, a.Outcome = record, report.Outcome{Weight: report.Bad, Word: "no digest", Reason: findings[0].Message}
		return j.out.Answer(a)
	}
	record.Digest = nonEmpty(sum.String())
	a.Listing = string(evidence.AppendSum(nil, evidence.EventSum, sum, in.Name, 0))
	if j.explain {
		record.Canonical = string(canonical)
		a.Facts = []report.Fact{{Name: "canonical", Value: record.Canonical}}
	}
	a.Value = record
	return j.out.Answer(a)
}
