package evidencecmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/trace"
)

func (v *verifyRun) answer(r *bundle.Report) error {
	for _, f := range v.demands.Unmet(r.Input, v.met(r)) {
		if r.Follow(f); v.live {
			if err := v.out.Finding(f); err != nil {
				return err
			}
		}
	}
	v.count(r)
	for _, f := range r.Findings {
		if v.live {
			break
		}
		if err := v.out.Finding(f); err != nil {
			return err
		}
	}
	kept := *r
	if d := v.read.Of(r.Input); d != nil {
		kept.SHA256, kept.Bytes = "sha256:"+d.SHA256, d.Bytes
	}
	kept.Findings = slices.DeleteFunc(slices.Clone(r.Findings), func(f finding.Finding) bool { return !v.out.Keep(f) })
	a := report.Answer{
		List: "inputs", Value: &kept, Subject: r.Input, Outcome: report.Outcome{Weight: report.Good, Word: string(r.Verdict)},
		Scope: []string{kindRead(r), cmdline.Counted(int(r.Events), "event")},
		Facts: bundleFacts(r, v.opt.All || r.Kind == bundle.KindPackage), NotCovered: r.NotCovered, Findings: kept.Findings, Brief: true,
		Guarded: true, View: v.sight.of(r.Kind, r.Events, r, kept.Findings),
	}
	if v.live {
		a.Value = liveBundle{&kept}
	}
	if r.Verdict == bundle.Invalid {
		v.out.No()
		a.Weight, a.Reason = report.Bad, fmt.Sprintf("the %s is invalid: %s", r.Kind, r.Code)
	}
	return v.out.Answer(a)
}

// met returns the requirements that an input meets. Only a bundle's manifest binds its events to each other.
func (v *verifyRun) met(r *bundle.Report) app.Met {
	sealed := r.Kind == bundle.KindBundle && r.BundleID != ""
	attested := r.Attestation != nil && r.Attestation.PredicateType != ""
	pinned := v.c.IsSet("expect-bundle-id") || v.c.IsSet("expect-run-root") || v.c.IsSet("expect-sha256") || attested
	return app.Met{
		Chain: sealed || pinned, Seal: sealed, Signature: attested, Anchor: pinned, End: sealed || pinned, Attestation: attested,
		Family: "evidence", Format: string(r.Kind),
		Hints: map[string]string{
			"chain": bundleHint, "seal": bundleHint, "end": bundleHint,
			"signature": attestationHint, "attestation": attestationHint,
			"anchor": "--expect-bundle-id, --expect-run-root or --expect-sha256 names a value that was kept elsewhere",
		},
	}
}

const (
	bundleHint      = "`cupel evidence seal` makes a bundle of a stream"
	attestationHint = "verify an attestation with --attestation FILE --key FILE"
)

// kindRead returns the kind of an input, after "unreadable" if no event could be read.
func kindRead(r *bundle.Report) string {
	if r.Code == "IntegrityTar" && r.Events == 0 {
		return "unreadable " + string(r.Kind)
	}
	return string(r.Kind)
}

// liveBundle is the report on an input whose findings were streamed.
type liveBundle struct{ *bundle.Report }

func (r liveBundle) Brief() any {
	brief := *r.Report
	brief.Findings = nil
	return &brief
}

// bundleFacts returns more facts on an input for text output.
func bundleFacts(r *bundle.Report, all bool) (facts []report.Fact) {
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, report.Fact{Name: name, Value: value})
		}
	}
	asked := func(name, value string) {
		if value != "" {
			facts = append(facts, report.Fact{Name: name, Value: value, Kept: true})
		}
	}
	if r.Code != "" {
		add("class", r.Class)
		add("code", r.Code)
	}
	if r.Kind != bundle.KindBundle || r.BundleID == "" {
		add("run root", r.RunRoot)
	}
	add("bundle id", r.BundleID)
	add("sha256", r.SHA256)
	add("run", r.Run.ID)
	asked("sources", input.CitedText(r.Cited))
	if r.NotCanonical > 0 {
		add("not canonical", cmdline.Counted(int(r.NotCanonical), "event"))
	}
	if what, ok := app.Endings[trace.EndReason(r.Ended)]; ok {
		add("ended", what)
	}
	if r.Omitted > 0 {
		add("", cmdline.NotShown(r.Omitted))
	}
	if r.Attestation != nil && r.Attestation.PredicateType != "" && r.Verdict == bundle.Valid {
		asked("attested by", r.Attestation.KeyID)
		facts = append(facts, app.TimestampFact(r.Timestamp)...)
	}
	if d := r.Redaction; d != nil && d.Profile != "" && r.Verdict == bundle.Valid {
		asked("redacted by", fmt.Sprintf("profile %s, policy %s; %s changed", d.Profile, d.PolicyDigest, cmdline.Counted(int(d.Changed), "event")))
	}
	if d := r.Revealed; d != nil && r.Verdict == bundle.Valid {
		asked("revealed", fmt.Sprintf("%d of %s", d.Values, cmdline.Counted(int(d.Committed), "committed value")))
	}
	if r.Code != "" && !all && !strings.HasPrefix(r.Code, "require.") {
		add("", "the rest was not checked; --all continues after the first fault")
	}
	return facts
}

func (v *verifyRun) count(r *bundle.Report) {
	t := &v.totals
	t.Inputs++
	t.Events += r.Events
	t.Errors += r.Errors
	t.Warnings += r.Warnings
	t.Omitted += r.Omitted
	if r.Verdict == bundle.Valid {
		t.Valid++
	} else {
		t.Invalid++
	}
}

func (v *verifyRun) summary() report.Summary {
	t := v.totals
	t.Passed = len(v.passed.Files)
	s := report.Summary{
		Value: t, Weight: report.Good,
		Tally: &report.Tally{Noun: "file", Total: t.Inputs, Failed: t.Invalid, Errors: t.Errors, Warnings: t.Warnings, Rest: v.passed.Rest()},
	}
	if t.Invalid > 0 {
		s.Weight = report.Bad
	}
	return s
}
