package redact

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/internal/shape"
	"github.com/cupel-dev/cupel/finding"
)

// VerifyInput is the input of [Verify].
type VerifyInput struct {
	Original, Redacted bundle.Input
	Report             io.Reader // on the redaction; nil: none
	ReportName         string    // as findings show it

	// Scratch creates empty temporary files, with up to four times the size of both inputs in total. The caller
	// removes them.
	Scratch func() (bundle.Scratch, error)
}

// Verification is the result of comparing an original with its redaction.
type Verification struct {
	Anew     *Report        // the redaction repeated
	Redacted *bundle.Report // the verification of the redacted input; nil when there was nothing to compare it with
	Report   *Report        // as it was read, without its events; nil: none, or one with a fault

	// Findings are the differences, with lines of the redacted input. At most Options.MaxFindings are kept.
	Findings         []finding.Finding
	Errors, Warnings int
	Omitted          int // findings beyond the limit
}

// Same reports whether redacting the original gives exactly the redacted input and the report.
func (v *Verification) Same() bool { return v.Errors == 0 }

// PolicyError means that the report was made under another policy.
type PolicyError struct{ Report, Own Policy }

func (e *PolicyError) Error() string {
	return fmt.Sprintf("the report was made with the policy %s (profile %q), not with %s (profile %q)", e.Report.Digest, e.Report.Profile, e.Own.Digest, e.Own.Profile)
}

// Verify redacts the original again under the same policy and compares the result with the redacted input: streams
// byte for byte, bundles by events and manifest, because compression differs between versions. It also compares the
// report. Findings contain no values. OnChange and OnEvent are ignored. Memory is that of [Redact]. It returns a
// [PolicyError], an error of Redact, or one of a reader.
func Verify(ctx context.Context, in VerifyInput, opt Options) (*Verification, error) {
	opt = opt.withDefaults()
	if opt.MaxFindings == 0 {
		opt.MaxFindings = evidence.DefaultMaxFindings
	}
	v := &verifyRun{in: in, opt: opt, answer: &Verification{}}
	if err := v.readReport(ctx); err != nil {
		return nil, err
	}
	if v.answer.Errors > 0 {
		return v.answer, nil
	}
	if err := v.redo(ctx); err != nil {
		return nil, err
	}
	if !v.answer.Anew.Redacted {
		return v.answer, nil
	}
	if err := v.compare(ctx); err != nil {
		return nil, err
	}
	return v.answer, v.compareReport()
}

type verifyRun struct {
	in     VerifyInput
	opt    Options
	answer *Verification

	report   *scratchFile // as it was given
	anew     *scratchFile // the report on the redaction that is done again
	expected *scratchFile // the output of that
}

func (v *verifyRun) note(f finding.Finding) {
	a := v.answer
	if f.Severity == finding.Error {
		a.Errors++
	} else {
		a.Warnings++
	}
	if most := v.opt.MaxFindings; most >= 0 && len(a.Findings) >= most {
		a.Omitted++
		return
	}
	a.Findings = append(a.Findings, f)
}

func (v *verifyRun) noteAll(list []finding.Finding) {
	for _, f := range list {
		v.note(f)
	}
}

func (v *verifyRun) inReport(f finding.Finding) finding.Finding {
	f.File, f.Detail = v.in.ReportName, bundle.Detail{Pointer: f.Path}
	return f
}

// readReport reads the report and keeps its text, because its options come after its events.
func (v *verifyRun) readReport(ctx context.Context) (err error) {
	if v.in.Report == nil {
		return nil
	}
	if v.report, err = v.scratch(); err != nil {
		return err
	}
	said, fault, err := ReadReport(io.TeeReader(v.in.Report, v.report), func(*Event) error { return ctx.Err() })
	if err == nil {
		err = v.report.end()
	}
	switch {
	case err != nil:
		return err
	case fault != nil:
		v.note(v.inReport(*fault))
		return nil
	}
	v.answer.Report = said
	own := v.opt.policy()
	if said.Policy.Digest != own.Digest {
		return &PolicyError{said.Policy, own}
	}
	if !said.InputVerified {
		v.opt.AcceptUnverified = true
		v.note(v.inReport(unverified()))
	}
	return nil
}

func (v *verifyRun) redo(ctx context.Context) (err error) {
	events, err := v.in.Scratch()
	if err != nil {
		return err
	}
	if v.expected, err = v.scratch(); err != nil {
		return err
	}
	if v.anew, err = v.scratch(); err != nil {
		return err
	}
	w := NewWriter(v.anew)
	opt := v.opt
	opt.Check, opt.OnChange, opt.OnEvent = false, nil, w.Event
	in := v.in.Original
	if v.answer.Anew, err = Redact(ctx, in.Reader, in.Size, in.Name, events, v.expected, opt); err != nil {
		return err
	}
	if !v.answer.Anew.Redacted {
		v.noteAll(v.answer.Anew.Findings)
		return nil
	}
	return errors.Join(w.Close(v.answer.Anew), v.anew.end(), v.expected.end())
}

// compare compares the redacted input with the repeated redaction.
func (v *verifyRun) compare(ctx context.Context) error {
	found, err := v.readRedacted(ctx)
	if err != nil {
		return err
	}
	expected, own := v.expected, v.answer.Redacted
	packed := v.answer.Anew.Kind == bundle.KindBundle
	switch {
	case packed != (own.Kind == bundle.KindBundle):
		v.note(v.placed(*shape.Differs(&rules[ruleOutput], "", "the redacted input is not of the same kind as the original", string(v.answer.Anew.Kind), string(own.Kind))))
		return nil
	case packed && own.Verdict != bundle.Valid:
		v.noteAll(own.Findings)
		return nil
	}
	var manifest *bundle.Manifest
	if packed {
		if expected, manifest, err = v.unseal(ctx, expected); err != nil {
			return err
		}
		if found, _, err = v.unseal(ctx, found); err != nil {
			return err
		}
	}
	if err := newLineComparer(v, packed).all(ctx, expected.reader(), found.reader()); err != nil {
		return err
	}
	if packed && v.answer.Errors == 0 && !reflect.DeepEqual(manifest, own.Manifest) {
		v.note(v.placed(rules[ruleOutput].New("the manifest of the redacted bundle differs from the one that the redaction writes")))
	}
	return nil
}

// readRedacted verifies the redacted input and keeps its text. Faults of a stream are not reported, because
// redaction keeps them.
func (v *verifyRun) readRedacted(ctx context.Context) (*scratchFile, error) {
	kept, err := v.scratch()
	if err != nil {
		return nil, err
	}
	opt := v.opt.verifying()
	opt.All, opt.Digest = true, true
	in := v.in.Redacted
	v.answer.Redacted, err = bundle.Verify(ctx, io.TeeReader(in.Reader, kept), in.Size, in.Name, opt)
	return kept, errors.Join(err, kept.end())
}

func (v *verifyRun) unseal(ctx context.Context, packed *scratchFile) (*scratchFile, *bundle.Manifest, error) {
	events, err := v.scratch()
	if err != nil {
		return nil, nil, err
	}
	r, err := bundle.Unseal(ctx, packed.reader(), packed.size, v.in.Redacted.Name, events, v.opt.verifying())
	if err != nil {
		return nil, nil, err
	}
	return events, r.Manifest, events.end()
}

// placed sets the file of a finding to the redacted input.
func (v *verifyRun) placed(f finding.Finding) finding.Finding {
	f.File = v.in.Redacted.Name
	return f
}

type scratchFile struct {
	file bundle.Scratch
	to   *bufio.Writer
	size int64
}

func (v *verifyRun) scratch() (*scratchFile, error) {
	file, err := v.in.Scratch()
	if err != nil {
		return nil, err
	}
	return &scratchFile{file: file, to: bufio.NewWriterSize(file, scratchBuffer)}, nil
}

func (s *scratchFile) Write(p []byte) (int, error) {
	s.size += int64(len(p))
	return s.to.Write(p)
}

func (s *scratchFile) end() error { return s.to.Flush() }

func (s *scratchFile) reader() io.Reader { return io.NewSectionReader(s.file, 0, s.size) }
