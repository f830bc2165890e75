package bundle

import (
	"context"
	"io"

	"github.com/cupel-dev/cupel/evidence/internal/container"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// Verify verifies a bundle, a stream of events or a single event. It checks in the order of the contract's
// reference implementation, so that the first fault has the same code as in other verifiers. It stops at the first
// fault unless Options.All is set, and reads nothing beyond the limits.
//
// name is the display name; its extension identifies a bundle with a damaged start. size is the input's size in
// bytes, -1 if unknown.
//
// Faults of the input are findings. It returns an [evidence.ReadError], or an error of ctx or Options.Each. After
// ctx ends, a worker can still be reading r.
func Verify(ctx context.Context, r io.Reader, size int64, name string, opt Options) (*Report, error) {
	return verify(ctx, r, size, name, opt, func(v *verifier) taker[eventResult] { return v })
}

type eventResult struct {
	view      envelope.View
	faults    []envelope.Fault
	respelled bool // the event is written otherwise than in canonical JSON
}

// verifier verifies one input.
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

// note records a finding. It returns an error if the verification can stop.
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

func (v *verifier) noteAll(list []finding.Finding) error {
	for _, f := range list {
		if err := v.note(f); err != nil {
			return err
		}
	}
	return nil
}

func (v *verifier) fault(f *container.Fault) error {
	err := v.note(v.containerFinding(f))
	if f.Final {
		return errEnough
	}
	return err
}

// tolerated records, as a warning, a fault that version 5 of the reference implementation accepts.
func (v *verifier) tolerated(f *container.Fault) error {
	found := v.containerFinding(f)
	found.Severity = finding.Warning
	return v.note(found)
}

// first records a fault that has precedence over all others.
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
		found.Help = "unpack the events, and write a new bundle with `cupel evidence seal EVENTS -o BUNDLE`: other programs may read this one differently"
	case f.Code == integrityTar && f.Offset <= 0:
		found.Help = "a bundle is a .tar.gz with manifest.json and events.ndjson; unpack other events first: `gzip -dc FILE | cupel evidence verify -`"
	}
	return found
}

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
