package evidencecmd

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
)

type redactTotals struct {
	Inputs   int `json:"inputs"`
	Redacted int `json:"redacted"` // of them, or --check would
	Changed  int `json:"changed"`  // of those, changed events
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Omitted  int `json:"findings_omitted"`
	Passed   int `json:"passed_over,omitempty"`
}

func (m *redactRun) summary() report.Summary {
	t := m.totals
	t.Passed = len(m.passed.Files)
	sum := report.Summary{Value: t, Weight: report.Good}
	if t.Inputs > 1 || t.Passed > 0 {
		sum.Text = fmt.Sprintf("%s: %d redacted, %d of them changed", cmdline.Counted(t.Inputs, "input"), t.Redacted, t.Changed) + m.passed.Text()
	}
	if t.Redacted < t.Inputs {
		sum.Weight = report.Bad
	}
	return sum
}

type redactedChange struct {
	Input string `json:"input"`
	Line  int    `json:"line"`
	ID    string `json:"id,omitempty"`
	*redact.Change
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
}

func (m *redactRun) change(in walk.Input, e *redact.Event, c *redact.Change, before, after []byte) error {
	value := &redactedChange{Input: in.Name, Line: e.Line, ID: e.ID, Change: c}
	would := "would be " + c.Action
	if c.Reported {
		would = "stays as it is"
	}
	text := fmt.Sprintf("%s:%d: %s: %s (%s, %s)", say.Visible(in.Name), e.Line, say.Visible(c.Pointer), would, c.Class, c.Rule)
	if m.c.Bool("diff") {
		value.Before, value.After = before, after
		text += "\n  - " + shownValue(before)
		if after != nil {
			text += "\n  + " + shownValue(after)
		}
	}
	a := report.Answer{
		List: "changes", Value: value, Listing: text, Guarded: true,
		Subject: fmt.Sprintf("%s:%d: %s", in.Name, e.Line, hidden(c.Pointer)), Scope: []string{c.Class, c.Rule}, Outcome: report.Outcome{Word: would},
	}
	a.Weight = report.Bad
	if c.Reported {
		a.Weight = report.Caution
	}
	return m.out.Answer(a)
}

// shownValue returns a whole JSON value for display.
func shownValue(value []byte) string { return say.Visible(string(value)) }

type redactedInput struct {
	Input    string            `json:"input"`
	Kind     string            `json:"kind"`
	Redacted bool              `json:"redacted"`
	Verified bool              `json:"input_verified"`
	Class    *string           `json:"class"`
	Code     *string           `json:"code"`
	Summary  redact.Summary    `json:"summary"`
	Findings []finding.Finding `json:"findings"`
	Omitted  int               `json:"findings_omitted,omitempty"`
	Output   *redactedOutput   `json:"output"` // null: nothing was written
}

type redactedOutput struct {
	Path     string `json:"path"`
	SHA256   string `json:"sha256"`
	RunRoot  string `json:"run_root,omitempty"`
	BundleID string `json:"bundle_id,omitempty"`
	Report   string `json:"report,omitempty"`
	Secrets  string `json:"secrets,omitempty"`
}

func (m *redactRun) answer(in walk.Input, path string, r *redact.Report) error {
	for _, f := range r.Findings {
		if err := m.out.Fault(f); err != nil {
			return err
		}
	}
	m.count(r)
	v := r.Verified
	value := &redactedInput{
		Input: in.Name, Kind: string(r.Kind), Redacted: r.Redacted, Verified: r.InputVerified, Class: orNil(v.Class), Code: orNil(v.Code),
		Summary: r.Summary, Findings: r.Findings, Omitted: v.Omitted,
	}
	if value.Findings == nil {
		value.Findings = []finding.Finding{}
	}
	if r.Redacted && !m.opt.Check {
		value.Output = &redactedOutput{Path: path, SHA256: r.OutputSHA256, RunRoot: r.RunRoot, BundleID: r.BundleID, Report: m.c.String("report"), Secrets: m.c.String("secrets")}
	}
	a := report.Answer{
		List: "inputs", Value: value, Subject: in.Name, Outcome: m.outcome(r),
		Scope: []string{string(r.Kind), cmdline.Counted(int(r.Summary.Events), "event")}, Facts: m.facts(value), Findings: r.Findings,
	}
	if a.Weight == report.Bad {
		m.out.No()
	}
	return m.out.Answer(a)
}

func (m *redactRun) count(r *redact.Report) {
	t := &m.totals
	t.Inputs++
	t.Errors += r.Verified.Errors
	t.Warnings += r.Verified.Warnings
	t.Omitted += r.Verified.Omitted
	if r.Redacted {
		t.Redacted++
		if r.Summary.Changed > 0 {
			t.Changed++
		}
	}
}

func (m *redactRun) outcome(r *redact.Report) report.Outcome {
	changes := r.Summary.Changed > 0
	switch {
	case !r.Redacted:
		return report.Outcome{Weight: report.Bad, Word: "not redacted", Reason: unredacted(r, m.opt.AcceptUnverified)}
	case m.opt.Check && changes:
		return report.Outcome{Weight: report.Bad, Word: "would change", Reason: app.NotAllowed}
	case changes:
		return report.Outcome{Weight: report.Good, Word: "redacted"}
	}
	return report.Outcome{Weight: report.Good, Word: "nothing to redact"}
}

// unredacted returns why there is no output.
func unredacted(r *redact.Report, accepted bool) string {
	switch {
	case r.InputVerified:
		return "the result is not a valid bundle"
	case accepted:
		return "a part of the input cannot be read as events, so cupel cannot redact it"
	}
	return fmt.Sprintf("the %s is invalid: %s", r.Kind, r.Verified.Code)
}

// facts returns more facts for text output.
func (m *redactRun) facts(v *redactedInput) (facts []report.Fact) {
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, report.Fact{Name: name, Value: value})
		}
	}
	if v.Omitted > 0 {
		add("", cmdline.NotShown(v.Omitted))
	}
	if !v.Redacted {
		if v.Code != nil {
			add("class", *v.Class)
			add("code", *v.Code)
		}
		add("", "nothing was written")
		if !v.Verified && !m.opt.AcceptUnverified {
			add("", "--accept-unverified redacts it anyway, if all of it is readable")
		}
		return facts
	}
	add("changes", changesText(&v.Summary))
	if v.Summary.Reported > 0 {
		add("reported", cmdline.Counted(int(v.Summary.Reported), "value")+" that a policy file alone can change")
	}
	if !v.Verified {
		add("", "the input is not valid evidence; it was redacted anyway")
	}
	out := v.Output
	if out == nil {
		return facts
	}
	if out.Path != "-" {
		add("written", out.Path)
	}
	add("report", out.Report)
	add("secrets", out.Secrets)
	add("run root", out.RunRoot)
	add("bundle id", out.BundleID)
	add("sha256", out.SHA256)
	if out.BundleID != "" && v.Summary.Changed > 0 {
		add("", "the output is a different bundle: earlier attestations and proofs do not apply to it")
	}
	return facts
}

// changesText returns the number of changes, or "".
func changesText(s *redact.Summary) string {
	if s.Changed == 0 {
		return ""
	}
	var kinds []string
	for _, k := range []struct {
		n    int64
		what string
	}{{s.Dropped, "dropped"}, {s.Replaced, "replaced"}, {s.Generalized, "generalized"}, {s.Cut, "cut"}} {
		if k.n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s", k.n, k.what))
		}
	}
	return strings.Join(kinds, ", ") + " in " + cmdline.Counted(int(s.Changed), "event")
}

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
