package evidencecmd

import (
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
)

// redactVerifying is `cupel evidence redact --verify ORIGINAL REDACTED`.
func redactVerifying(env cmdline.Env) *cli.Command {
	run := report.Run{
		Command: "evidence redact", Schema: "cupel.redaction-check/1", Lists: []string{"inputs"},
		Formats: RedactRun.Formats, Rules: rulelist.VerifyRules, Hide: hidden, NotProved: []string{"whether the policy was strict enough: it was only applied again"},
	}
	return app.Reporting(env, run, &cli.Command{}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		v := &redactCheck{env: env, c: c, out: out}
		err := v.all()
		return v.summary(), err
	})
}

type redactCheck struct {
	env    cmdline.Env
	c      *cli.Context
	out    *app.Output
	opt    redact.Options
	temps  []input.TempFile
	totals struct {
		Inputs   int `json:"inputs"`
		Valid    int `json:"valid"`
		Invalid  int `json:"invalid"`
		Errors   int `json:"errors"`
		Warnings int `json:"warnings"`
		Omitted  int `json:"findings_omitted"`
	}
}

func (v *redactCheck) all() error {
	if err := oneProof(v.c, "verify", "output", "secrets"); err != nil {
		return err
	}
	var err error
	if v.opt, err = redactOptions(v.env, v.c); err != nil {
		return err
	}
	what := evidenceReads(&input.PassedOver{})
	what.Unpacks = false // as in the redaction
	inputs, err := input.OpenInputs(v.env, v.c, what)
	switch {
	case err != nil:
		return err
	case v.c.NArg() != 2 || len(inputs) != 2:
		return &cmdline.UsageError{Message: fmt.Sprintf("there %s, expected two: an original and its copy", areInputs(len(inputs))), Hint: "`cupel evidence redact --verify ORIGINAL REDACTED` compares them"}
	}
	v.out.Plan(inputs)
	return v.compare(inputs[0], inputs[1])
}

func areInputs(n int) string {
	if n == 1 {
		return "is 1 input"
	}
	return fmt.Sprintf("are %d inputs", n)
}

func (v *redactCheck) compare(original, redacted walk.Input) error {
	defer v.discard()
	in := redact.VerifyInput{Scratch: v.scratch}
	for i, as := range []*bundle.Input{&in.Original, &in.Redacted} {
		of := []walk.Input{original, redacted}[i]
		r, err := of.Open()
		if err != nil {
			return err
		}
		defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
		line := v.out.Progress("reading "+of.Name, of.Size)
		defer line.End()
		*as = bundle.Input{Name: of.Name, Size: of.Size, Reader: &side{of.Name, line.Reader(r)}}
	}
	if name := v.c.String("report"); v.c.IsSet("report") {
		file, err := app.ReportFile.Open(v.c.Context, name)
		if err != nil {
			return app.ReportFile.Unread(err)
		}
		defer func() { _ = file.Close() }() // opened for reading: nothing can be lost
		in.Report, in.ReportName = &side{name, heeding(v.c, file)}, name
	}
	answer, err := redact.Verify(v.env.Context, in, v.opt)
	if err != nil {
		return v.failed(original, err)
	}
	return v.answer(original, redacted, in.ReportName, answer)
}

// side is a reader of one of several files, named in its errors.
type side struct {
	name string
	r    io.Reader
}

func (s *side) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &sideError{s.name, err}
	}
	return n, err
}

// sideError is a read error of one of several files.
type sideError struct {
	name string
	err  error
}

func (e *sideError) Error() string { return app.ReadFailed(e.name, e.err).Error() }

func (e *sideError) Unwrap() error { return e.err }

func (v *redactCheck) scratch() (bundle.Scratch, error) {
	f, err := input.NewTempFile()
	if err == nil {
		v.temps = append(v.temps, f)
	}
	return f, err
}

func (v *redactCheck) discard() {
	for _, f := range v.temps {
		f.Discard()
	}
}

// failed returns the error for a check without a result.
func (v *redactCheck) failed(original walk.Input, err error) error {
	var other *redact.PolicyError
	var unread *sideError
	switch {
	case v.env.Context.Err() != nil:
		return v.env.Context.Err()
	case errors.As(err, &unread):
		return v.out.Fail(app.ReadFailed(unread.name, unread.err))
	case !errors.As(err, &other):
		return RedactFailed(v.env, v.out, original, err)
	}
	hint := "name the policy that it was made with: --policy FILE or --profile NAME"
	if other.Report.File != "" {
		hint = fmt.Sprintf("name the policy that it was made with: --policy FILE; the file was called %q", other.Report.File)
	}
	return &cmdline.Hinted{Err: err, Hint: hint}
}

type redactVerdict struct {
	Input      string            `json:"input"` // the redacted one
	Original   string            `json:"original"`
	Kind       bundle.Kind       `json:"kind"`
	Verdict    bundle.Verdict    `json:"verdict"`
	Policy     redact.Policy     `json:"policy"`
	Report     *string           `json:"report"`
	Verified   bool              `json:"input_verified"`
	SHA256     *string           `json:"sha256"`
	RunRoot    *string           `json:"run_root"`
	BundleID   *string           `json:"bundle_id"`
	Summary    redact.Summary    `json:"summary"`
	Findings   []finding.Finding `json:"findings"`
	Omitted    int               `json:"findings_omitted,omitempty"`
	NotCovered []string          `json:"not_covered"`
}

func (v *redactCheck) answer(original, redacted walk.Input, reported string, r *redact.Verification) error {
	for _, f := range r.Findings {
		if err := v.out.Fault(f); err != nil {
			return err
		}
	}
	value := redactVerdict{
		Input: redacted.Name, Original: original.Name, Verdict: bundle.Valid, Report: orNil(reported),
		Findings: append([]finding.Finding{}, r.Findings...), Omitted: r.Omitted, NotCovered: checkNotCovered(reported),
	}
	if anew := r.Anew; anew != nil {
		value.Kind, value.Policy, value.Verified, value.Summary = anew.Kind, anew.Policy, anew.InputVerified, anew.Summary
	}
	if own := r.Redacted; own != nil {
		value.SHA256, value.RunRoot, value.BundleID = orNil(own.SHA256), orNil(own.RunRoot), orNil(own.BundleID)
	}
	a := report.Answer{
		List: "inputs", Value: &value, Subject: redacted.Name, Findings: value.Findings,
		Outcome: report.Outcome{Weight: report.Good, Word: "valid"}, Scope: []string{"redaction of " + say.Visible(original.Name)},
	}
	t := &v.totals
	t.Inputs, t.Errors, t.Warnings, t.Omitted = 1, r.Errors, r.Warnings, r.Omitted
	if r.Same() {
		t.Valid = 1
		a.Facts, a.NotCovered = checkFacts(&value), value.NotCovered
	} else {
		t.Invalid = 1
		value.Verdict = bundle.Invalid
		a.Outcome = report.Outcome{Weight: report.Bad, Word: "invalid", Reason: r.Findings[0].Message}
		v.out.No()
	}
	if r.Omitted > 0 {
		a.Facts = append(a.Facts, report.Fact{Value: cmdline.NotShown(r.Omitted)})
	}
	return v.out.Answer(a)
}

// checkFacts returns facts about a verified redaction for text output.
func checkFacts(v *redactVerdict) []report.Fact {
	changes := changesText(&v.Summary)
	if changes == "" {
		changes = "none"
	}
	facts := []report.Fact{{Name: "changes", Value: changes}, {Name: "policy", Value: v.Policy.Profile + ", " + v.Policy.Digest}}
	if !v.Verified {
		facts = append(facts, report.Fact{Value: "the original is not valid evidence; it was redacted anyway"})
	}
	return facts
}

func checkNotCovered(reported string) []string {
	list := []string{"whether the policy hides everything that it should: it was applied, not judged"}
	if reported == "" {
		return append(list, "whether a redaction report agrees: use --report to compare it")
	}
	return append(list, "the commitments in the report, and its hashes of the original: use --reveal to check a value against a commitment")
}

func (v *redactCheck) summary() report.Summary {
	sum := report.Summary{Value: v.totals, Weight: report.Good}
	if v.totals.Invalid > 0 {
		sum.Weight = report.Bad
	}
	return sum
}
