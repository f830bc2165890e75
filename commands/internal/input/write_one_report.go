package input

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
)

// Good reports the input's findings and whether a file can be created.
func (m *WriteRun) Good(r *bundle.Report) (bool, error) {
	for _, f := range r.Findings {
		if err := m.Out.Finding(f); err != nil {
			return false, err
		}
	}
	if r.Verdict != bundle.Valid {
		m.Out.No()
	}
	return !m.Out.AnsweredNo, nil
}

// MadeFile is the JSON result: the input's report and "output", null if there is no file.
type MadeFile struct {
	input  *bundle.Report
	Path   string `json:"path"` // "-": standard output
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

func (f *MadeFile) MarshalJSON() ([]byte, error) {
	text, err := f.input.MarshalJSON()
	if err != nil {
		return nil, err
	}
	type plain MadeFile
	output := []byte("null")
	if f.SHA256 != "" {
		if output, err = json.Marshal((*plain)(f)); err != nil {
			return nil, err
		}
	}
	return append(append(append(text[:len(text)-1], `,"output":`...), output...), '}'), nil
}

// Answer reports the result with word. A file without digest was not written.
func (m *WriteRun) Answer(word string, r *bundle.Report, file MadeFile) (report.Summary, error) {
	kept := *r
	kept.Findings = slices.DeleteFunc(slices.Clone(r.Findings), func(f finding.Finding) bool { return !m.Out.Keep(f) })
	file.input, file.Path = &kept, m.Name
	a := report.Answer{
		List: "inputs", Value: &file, Subject: r.Input, Outcome: report.Outcome{Weight: report.Good, Word: word},
		Scope: []string{string(r.Kind), cmdline.Counted(int(r.Events), "event")}, Findings: kept.Findings,
	}
	totals := madeTotals{Inputs: 1, Made: 1, Events: r.Events, Errors: r.Errors, Warnings: r.Warnings, Omitted: r.Omitted}
	if file.SHA256 == "" {
		totals.Made = 0
		a.Outcome = report.Outcome{Weight: report.Bad, Word: "not " + word, Reason: "a finding counts as an error"}
		if r.Code != "" {
			a.Reason = fmt.Sprintf("the %s is invalid: %s", r.Kind, r.Code)
		}
	}
	a.Facts = m.facts(r, &file)
	return report.Summary{Value: totals}, m.Out.Answer(a)
}

type madeTotals struct {
	Inputs   int   `json:"inputs"`
	Made     int   `json:"made"`
	Events   int64 `json:"events"`
	Errors   int   `json:"errors"`
	Warnings int   `json:"warnings"`
	Omitted  int   `json:"findings_omitted"`
}

func (m *WriteRun) facts(r *bundle.Report, file *MadeFile) (facts []report.Fact) {
	add := func(name, value string) { facts = append(facts, report.Fact{Name: name, Value: value}) }
	if r.Omitted > 0 {
		add("", cmdline.NotShown(r.Omitted))
	}
	if file.SHA256 == "" {
		if r.Code != "" {
			add("class", r.Class)
			add("code", r.Code)
		}
		add("", "nothing was written")
		return facts
	}
	if m.Name != "-" {
		add("written", m.Name)
	}
	add("bundle id", r.BundleID)
	add("sha256", file.SHA256)
	return append(facts, m.notes...)
}
