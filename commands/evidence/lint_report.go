package evidencecmd

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/lint"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
)

type lintedEvidence struct {
	*lint.Report
	shown []finding.Finding
}

// Brief returns the input without its findings, which are reported separately.
func (r lintedEvidence) Brief() any { return r.form(nil) }

// MarshalJSON writes the element of "inputs" in a cupel.evidence-lint/1 document.
func (r lintedEvidence) MarshalJSON() ([]byte, error) {
	shown := append([]finding.Finding{}, r.shown...)
	return json.Marshal(r.form(&shown))
}

func (r lintedEvidence) form(shown *[]finding.Finding) any {
	form := struct {
		Input    string             `json:"input"`
		Kind     bundle.Kind        `json:"kind"`
		Verdict  *bundle.Verdict    `json:"verdict"` // null if nothing was verified
		Class    *string            `json:"class"`
		Code     *string            `json:"code"`
		Events   int64              `json:"events"`
		Errors   int                `json:"errors"`
		Warnings int                `json:"warnings"`
		Infos    int                `json:"infos"`
		Findings *[]finding.Finding `json:"findings,omitempty"`
		Omitted  int                `json:"findings_omitted,omitempty"`
	}{
		Input: r.Input, Kind: r.Kind, Events: r.Events, Errors: r.Errors, Warnings: r.Warnings, Infos: r.Infos,
		Findings: shown, Omitted: r.Omitted,
	}
	if of := r.Integrity; of != nil {
		form.Verdict, form.Class, form.Code = &of.Verdict, nonEmpty(of.Class), nonEmpty(of.Code)
	}
	return form
}

// evidenceLintOutcome returns the number of findings and whether the input verifies.
func evidenceLintOutcome(r *lint.Report) report.Outcome {
	o := report.Outcome{Weight: report.Good, Word: "no findings"}
	var parts []string
	for _, part := range []struct {
		number int
		what   string
	}{{r.Errors, "error"}, {r.Warnings, "warning"}, {r.Infos, "note"}} {
		if part.number > 0 {
			parts = append(parts, cmdline.Counted(part.number, part.what))
		}
	}
	if len(parts) > 0 {
		o.Word = strings.Join(parts, ", ")
	}
	switch {
	case r.Invalid():
		o.Weight, o.Reason = report.Bad, fmt.Sprintf("the %s is invalid: %s", r.Kind, r.Integrity.Code)
	case r.Errors > 0:
		o.Weight, o.Reason = report.Bad, cmdline.Counted(r.Errors, "error")
	case r.Warnings > 0:
		o.Weight = report.Caution
	}
	return o
}

// integrityFacts returns facts about the verification for text output.
func integrityFacts(r *lint.Report) []report.Fact {
	const name = "integrity"
	of := r.Integrity
	switch {
	case of == nil:
		return []report.Fact{{Name: name, Value: "hashes, order and container were not verified (--no-verify)", Kept: true}}
	case of.Verdict == bundle.Invalid:
		return []report.Fact{{Name: name, Value: "invalid: " + of.Code + "; the findings are about evidence without integrity"}}
	case of.Warnings > 0:
		return []report.Fact{{Name: name, Value: "valid, with " + cmdline.Counted(of.Warnings, "warning") + " that `cupel evidence verify` shows", Kept: true}}
	}
	return []report.Fact{{Name: name, Value: string(of.Verdict)}}
}

// rest returns a finding that summarizes dropped findings, or nil.
func (l *lintRun) rest(r *lint.Report) *finding.Finding {
	if r.Worst == nil {
		return nil
	}
	rest := *r.Worst
	rest.Message, rest.Help = say.Omitted(r.Omitted, "finding", l.opt.Verify.MaxFindings), say.RaiseHint("--max-findings")
	return &rest
}

func (l *lintRun) count(r *lint.Report) {
	t := &l.totals
	t.Inputs++
	t.Events += r.Events
	t.Errors += r.Errors
	t.Warnings += r.Warnings
	t.Infos += r.Infos
	t.Omitted += r.Omitted
	if r.Invalid() {
		t.Invalid++
	}
}

func (l *lintRun) summary() report.Summary {
	t := l.totals
	t.Passed = len(l.passed.Files)
	s := report.Summary{Value: t, Weight: report.Good, Tally: &report.Tally{Noun: "file", Total: t.Inputs, Errors: t.Errors, Warnings: t.Warnings, Rest: l.passed.Rest()}}
	if t.Invalid > 0 {
		s.Tally.Rest = strings.TrimSuffix(fmt.Sprintf("%d do not verify; %s", t.Invalid, s.Tally.Rest), "; ")
	}
	switch {
	case t.Errors+t.Invalid > 0:
		s.Weight = report.Bad
	case t.Warnings > 0:
		s.Weight = report.Caution
	}
	return s
}
