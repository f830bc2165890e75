package evidencecmd

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
)

// redactRevealing is `cupel evidence redact --reveal FILE --report REPORT`.
func redactRevealing(env cmdline.Env) *cli.Command {
	run := report.Run{
		Command: "evidence redact", Schema: "cupel.redaction-reveal/1", Lists: []string{"values"},
		Formats: RedactRun.Formats, Rules: rulelist.VerifyRules, Hide: hidden, NotProved: []string{"who made the report: a commitment only binds its value"},
	}
	return app.Reporting(env, run, &cli.Command{}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		r := &revealRun{c: c, out: out}
		err := r.all()
		return r.summary(), err
	})
}

type revealRun struct {
	c      *cli.Context
	out    *app.Output
	totals struct {
		Values  int `json:"values"`
		Valid   int `json:"valid"`
		Invalid int `json:"invalid"`
		Errors  int `json:"errors"`
	}
}

func (r *revealRun) all() error {
	c := r.c
	if err := oneProof(c, "reveal", "output", "secrets"); err != nil {
		return err
	}
	switch {
	case c.String("report") == "":
		return &cmdline.UsageError{Message: "--reveal requires --report", Hint: "give the report, which has the commitments, with --report"}
	case c.NArg() > 0:
		return &cmdline.UsageError{Message: "--reveal reads only its file and --report: give no operand", Hint: ""}
	}
	committed, err := app.ReportFile.Open(c.Context, c.String("report"))
	if err != nil {
		return app.ReportFile.Unread(err)
	}
	defer func() { _ = committed.Close() }() // opened for reading: nothing can be lost
	disclosed, err := app.RevealedFile.Open(c.Context, c.String("reveal"))
	if err != nil {
		return app.RevealedFile.Unread(err)
	}
	defer func() { _ = disclosed.Close() }() // opened for reading: nothing can be lost
	findings, err := redact.Reveal(heeding(c, committed), heeding(c, disclosed), r.value)
	if err != nil {
		return app.ReadFailed(c.String("reveal"), err)
	}
	for _, f := range findings {
		f.File = c.String("reveal")
		if f.Rule == "RedactionReport" {
			f.File = c.String("report")
		}
		r.totals.Errors++
		r.out.No()
		if err := r.out.Fault(f); err != nil {
			return err
		}
	}
	if r.totals.Values == 0 && len(findings) == 0 {
		return &cmdline.Hinted{Err: fmt.Errorf("--reveal %q discloses no value", c.String("reveal")), Hint: "`cupel evidence redact --disclose LINE:POINTER --secrets FILE` discloses one"}
	}
	return nil
}

type revealedValue struct {
	Line     int               `json:"line"`
	Pointer  string            `json:"pointer"`
	Verdict  string            `json:"verdict"`
	Value    json.RawMessage   `json:"value"`
	Findings []finding.Finding `json:"findings"`
}

func (r *revealRun) value(d redact.Disclosed) error {
	value := revealedValue{Line: d.Line, Pointer: d.Pointer, Verdict: "valid", Value: d.Value, Findings: []finding.Finding{}}
	a := report.Answer{
		List: "values", Value: &value, Subject: strconv.Itoa(d.Line) + ":" + d.Pointer, Outcome: report.Outcome{Weight: report.Good, Word: "valid"},
		Facts: []report.Fact{{Name: "value", Value: string(d.Value)}},
	}
	r.totals.Values++
	if d.Fault == nil {
		r.totals.Valid++
		return r.out.Answer(a)
	}
	r.totals.Invalid++
	r.totals.Errors++
	r.out.No()
	d.Fault.File = r.c.String("reveal")
	value.Verdict, value.Findings = "invalid", []finding.Finding{*d.Fault}
	a.Outcome, a.Findings = report.Outcome{Weight: report.Bad, Word: "invalid", Reason: d.Fault.Message}, value.Findings
	if err := r.out.Fault(*d.Fault); err != nil {
		return err
	}
	return r.out.Answer(a)
}

func (r *revealRun) summary() report.Summary {
	t := r.totals
	sum := report.Summary{Value: t, Weight: report.Good, Text: fmt.Sprintf("%s: %d valid, %d invalid", cmdline.Counted(t.Values, "value"), t.Valid, t.Invalid)}
	if t.Errors > 0 {
		sum.Weight = report.Bad
	}
	return sum
}
