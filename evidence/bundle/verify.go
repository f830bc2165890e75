package bundle

import (
	"context"
	"io"

	"github.com/cupel-dev/cupel/evidence/internal/container"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// Verify verifies a bundle, a stream of events or a single event. Checks are in the order of the contract's reference
// implementation, so the first fault has the same code as with other verifiers; the rest is then not read, unless
// Options.All is set. Nothing is read beyond the limits.
//
// name is the display name and identifies a bundle with a damaged start. size is the input's size
// in bytes, -1 if unknown.
//
// The error is an [evidence.ReadError], ctx's or Options.Each's. Faults of the input are findings.
// After ctx ends, a worker can still be reading r.
func Verify(ctx context.Context, r io.Reader, size int64, name string, opt Options) (*Report, error) {
	return verify(ctx, r, size, name, opt, func(v *verifier) taker[eventResult] { return v })
}

// eventResult is a worker's output for an event.
type eventResult struct {
	view      envelope.View
	faults    []envelope.Fault
	respelled bool // the event is written otherwise than in canonical JSON
}

// verifier judges one input. It is the taker of a reader.
type verifier struct {
	opt      Options
	in       *input
	report   *Report
	notes    int       // kept findings other than errors
	errors   int       // … that are
	manifest *Manifest // of a bundle, when events can be compared with it
	cause    string    // "rule@line" of the first error of an event
	run      run
	placer   envelope.Placer // places the faults that the verifier itself finds in an event
	ended    bool            // the input was read to its end
}

func newVerifier(in *input, opt Options) *verifier {
	v := &verifier{opt: opt, in: in, report: &Report{Input: in.name, Kind: KindStream}, placer: envelope.NewPlacer(opt.Limits)}
	if in.bundle {
		v.report.Kind = KindBundle
	}
	return v
}

// note takes a finding. Its error ends the reading when enough is known.
func (v *verifier) note(f finding.Finding) error {
	f.File = v.in.name
	r := v.report
	kept := &v.notes
	switch f.Severity {
	case finding.Error:
		kept = &v.errors
		r.Errors++
		if r.Code == "" {
			r.Class, r.Code = classOf(f.Rule), f.Rule
		}
	case finding.Warning:
		r.Warnings++
	default:
		r.Infos++
	}
	if v.opt.MaxFindings >= 0 && *kept == v.opt.MaxFindings {
		r.Omitted++
	} else {
		*kept++
		r.Findings = append(r.Findings, f)
		if v.opt.OnFinding != nil {
			v.opt.OnFinding(f)
		}
	}
	if f.Severity == finding.Error && !v.opt.All {
		return errEnough
	}
	return nil
}

// noteAll takes findings in their order.
func (v *verifier) noteAll(list []finding.Finding) error {
	for _, f := range list {
		if err := v.note(f); err != nil {
			return err
		}
	}
	return nil
}

// fault reports damage of the container.
func (v *verifier) fault(f *container.Fault) error {
	err := v.note(v.containerFinding(f))
	if f.Final {
		return errEnough
	}
	return err
}

// tolerated takes what version 5 of the reference read, as a warning.
func (v *verifier) tolerated(f *container.Fault) error {
	found := v.containerFinding(f)
	found.Severity = finding.Warning
	return v.note(found)
}

// first takes a fault that goes before all others.
func (v *verifier) first(f *container.Fault) error {
	earlier := *v.report
	*v.report = Report{Input: earlier.Input, Kind: earlier.Kind, Events: earlier.Events}
	v.notes, v.errors = 0, 0
	if err := v.note(v.containerFinding(f)); err != nil {
		return err
	}
	defer func(told func(finding.Finding)) { v.opt.OnFinding = told }(v.opt.OnFinding)
	v.opt.OnFinding = nil // already called for these
	return v.noteAll(earlier.Findings)
}

func (v *verifier) containerFinding(f *container.Fault) finding.Finding {
	found := containerFinding(f)
	found.CausedBy = v.cause
	return found
}

func containerFinding(f *container.Fault) finding.Finding {
	detail := Detail{Detail: f.Limit}
	if f.Offset >= 0 {
		detail.Offset = &f.Offset
	}
	found := finding.Finding{Rule: f.Code, Severity: finding.Error, Message: f.Message, Expected: f.Expected, Found: f.Found, Detail: detail}
	switch {
	case f.Limit != "":
		found.Help = say.LimitsHint(f.Limit)
	case f.Ambiguous:
		found.Help = "other programs may read another bundle here: unpack the events, and write the bundle with `cupel evidence seal EVENTS -o BUNDLE`"
	case f.Code == integrityTar && f.Offset <= 0:
		found.Help = "a bundle is a tar of manifest.json and events.ndjson, compressed with gzip; events alone are unpacked before: `gzip -dc FILE | cupel evidence verify -`"
	}
	return found
}

// close completes the report.
func (v *verifier) close() *Report {
	r := v.report
	if v.ended && (v.opt.All || r.Errors == 0) {
		v.expect()
	}
	r.Verdict = Valid
	if r.Errors > 0 {
		r.Verdict = Invalid
	}
	v.run.describe(r)
	r.NotCovered = v.notCovered()
	return r
}
