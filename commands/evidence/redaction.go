package evidencecmd

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/finding"
)

// redactionFlag returns --redaction, the report of the redaction that created a file.
func redactionFlag(category, usage string) cli.Flag {
	return &cli.StringFlag{Name: "redaction", Category: category, Usage: usage}
}

// redaction is a redaction report that was checked without the input.
type redaction struct {
	name  string
	said  *redact.Report // nil when there is a fault
	fault *finding.Finding
	text  []byte           // of the whole report; nil when it is longer than an attestation takes
	again func() io.Reader // reads the report once more; nil when that is not possible
	check *redact.Checker  // of the current input
	err   error            // of the checker
}

// readRedaction reads --redaction. It returns nil without the flag. A malformed report is a finding, not an error.
func readRedaction(c *cli.Context) (*redaction, error) {
	switch {
	case !c.IsSet("redaction"):
		return nil, nil
	case c.Bool("follow"):
		return nil, &cmdline.UsageError{Message: "--redaction needs a complete file, but --follow reads a growing one", Hint: cmdline.LeaveOneHint}
	}
	name := c.String("redaction")
	file, err := app.RedactionFile.Open(c.Context, name)
	if err != nil {
		return nil, app.RedactionFile.Unread(err)
	}
	seekable, ok := file.(io.ReaderAt)
	if !ok {
		defer func() { _ = file.Close() }() // opened for reading: nothing can be lost
	} // else it is read once more, until the process ends
	r := &redaction{name: name}
	kept := &head{most: seal.MaxBytes}
	r.said, r.fault, err = redact.ReadReport(io.TeeReader(file, kept), func(*redact.Event) error { return c.Context.Err() })
	switch {
	case c.Context.Err() != nil:
		return nil, c.Context.Err()
	case err != nil:
		return nil, app.RedactionFile.Broken(name, err)
	}
	r.text = kept.text
	switch {
	case ok:
		r.again = func() io.Reader { return io.NewSectionReader(seekable, 0, math.MaxInt64) }
	case r.text != nil:
		r.again = func() io.Reader { return bytes.NewReader(r.text) }
	case r.fault == nil:
		return nil, &cmdline.Hinted{Err: fmt.Errorf("--redaction %q is a pipe with more than %d bytes", name, seal.MaxBytes), Hint: "give the report as a file: cupel reads it twice"}
	}
	return r, nil
}

// events wraps a function on the next input's events, which can be nil.
func (r *redaction) events(other func(*evidence.Result) error) func(*evidence.Result) error {
	if r == nil || r.fault != nil {
		return other
	}
	r.check, r.err = redact.NewChecker(r.said, r.again()), nil
	return func(e *evidence.Result) error {
		if r.err == nil {
			r.err = r.check.Event(e)
		}
		if other != nil {
			return other(e)
		}
		return nil
	}
}

// compare returns the mismatches between the report and a valid input.
func (r *redaction) compare(of *bundle.Report) ([]finding.Finding, error) {
	if r.err != nil {
		return nil, app.RedactionFile.Broken(r.name, r.err)
	}
	findings, err := r.check.Finish(outputOf(of))
	if err != nil {
		return nil, app.RedactionFile.Broken(r.name, err)
	}
	return findings, nil
}

// head keeps a text up to a limit, and nothing of a longer text.
type head struct {
	most int
	text []byte
	over bool
}

func (h *head) Write(p []byte) (int, error) {
	if h.over = h.over || len(h.text)+len(p) > h.most; h.over {
		h.text = nil
		return len(p), nil
	}
	h.text = append(h.text, p...)
	return len(p), nil
}

func (r *redaction) finding(f finding.Finding) finding.Finding {
	f.File = r.name
	f.Detail = bundle.Detail{Pointer: f.Path}
	return f
}

// announce reports the report's own fault first, if findings are streamed.
func (r *redaction) announce(live func(finding.Finding)) {
	if r != nil && r.fault != nil && live != nil {
		live(r.finding(*r.fault))
	}
}

// judge adds the redaction report's faults to an input's report: its own first, then mismatches for a valid input.
func (r *redaction) judge(of *bundle.Report, opt bundle.Options) error {
	if r == nil {
		return nil
	}
	of.Redaction = &bundle.Redaction{File: r.name}
	if r.fault != nil {
		of.Precede(r.finding(*r.fault))
		return nil
	}
	of.Redaction = &bundle.Redaction{
		File: r.name, Profile: r.said.Policy.Profile, PolicyDigest: r.said.Policy.Digest,
		InputVerified: r.said.InputVerified, Changed: r.said.Summary.Changed,
	}
	if of.Verdict != bundle.Valid {
		return nil
	}
	findings, err := r.compare(of)
	if err != nil {
		return err
	}
	follow(of, findings, opt, r.finding)
	of.NotCovered = append(of.NotCovered, notOriginal(of.Kind)...)
	return nil
}

// follow adds findings of later checks: only the first error unless all are requested.
func follow(of *bundle.Report, findings []finding.Finding, opt bundle.Options, place func(finding.Finding) finding.Finding) {
	for _, f := range findings {
		if f.Severity == finding.Error && of.Errors > 0 && !opt.All {
			continue
		}
		f = place(f)
		of.Follow(f)
		if opt.OnFinding != nil {
			opt.OnFinding(f)
		}
	}
}

func outputOf(r *bundle.Report) redact.Output {
	return redact.Output{SHA256: r.SHA256, RunRoot: r.RunRoot, BundleID: r.BundleID}
}

func notOriginal(kind bundle.Kind) []string {
	list := []string{"whether the redaction changed only what the report lists: with the original, run `cupel evidence redact --verify ORIGINAL REDACTED`"}
	if kind == bundle.KindBundle {
		list = append(list, "the original: this bundle is a different one, and attestations and proofs of the original do not apply to it")
	}
	return list
}

// redactionToAttest returns the text of the report in --redaction, if it is about the bundle. It returns nil
// without the flag.
func redactionToAttest(env cmdline.Env, r *redaction, of *bundle.Report) ([]byte, error) {
	switch {
	case r == nil:
		return nil, nil
	case r.fault != nil:
		return nil, unattested(env, of, r.fault)
	case r.text == nil:
		return nil, &cmdline.Hinted{Err: fmt.Errorf("cannot attest --redaction %q: the report has more than %d bytes", r.name, seal.MaxBytes), Hint: "the attestation would hold the whole report; attest the bundle without --redaction, and keep the report's digest"}
	}
	findings, err := r.compare(of)
	if err != nil {
		return nil, err
	}
	for _, f := range findings {
		if f.Severity == finding.Error {
			return nil, unattested(env, of, &f)
		}
		cmdline.Warn(env, fmt.Sprintf("%s: %s", strings.TrimSpace(f.Message), "the attestation says so"))
	}
	return r.text, nil
}

// unattested returns the error for a bundle that does not match the report.
func unattested(env cmdline.Env, of *bundle.Report, f *finding.Finding) error {
	cmdline.PrintError(env, fmt.Sprintf("no attestation was written for %q: %s (%s)", of.Input, f.Message, f.Rule), "`cupel explain "+f.Rule+"` describes the report")
	return cmdline.ErrNo
}

func (a *attested) attestedRedaction(attestation *seal.Attestation, of *bundle.Report, named *redaction, opt bundle.Options) error {
	text := attestation.Facts.Redaction
	said, fault, err := redact.ReadReport(bytes.NewReader(text), func(*redact.Event) error { return nil })
	if err != nil {
		return err
	}
	findings := []finding.Finding{}
	switch {
	case fault != nil:
		findings = append(findings, *fault)
	default:
		findings = said.Compare(outputOf(of))
	}
	if named != nil && named.fault == nil {
		if f := attestation.HasRedaction(named.text); f != nil {
			findings = append(findings, *f)
		}
	}
	follow(of, findings, opt, func(f finding.Finding) finding.Finding {
		if !strings.HasPrefix(f.Path, "/predicate") {
			f.Path = "/predicate/redaction" + f.Path
		}
		return a.finding(f)
	})
	if named == nil {
		of.NotCovered = append(of.NotCovered, notOriginal(of.Kind)...)
	}
	return nil
}
