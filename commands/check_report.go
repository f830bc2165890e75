package commands

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
)

// modelRule is the rule of an assertion that asks a model.
const modelRule = "check.model"

// checkRules are the rules of check itself.
var checkRules = finding.Table{
	{
		ID:       "check.unknown",
		Title:    "a file may hold records, but of no kind that is known",
		Severity: finding.Warning,
		Clause:   "docs/check.md",
		Rationale: "A folder is searched for records, and what is none is passed over. A file that has the name of records, or nearly the form of one, " +
			"may be a record that was damaged so much that nothing tells its kind any more: it is named, so that it is not taken for one that was checked. " +
			"`exclude` in cupel.yaml keeps what others write out of the search; a file that is named as an operand must be told.",
		Bad:  `{"vent":"TOOL_CALL","pay":{}}`,
		Good: `{"event_type":"ERROR","payload":{"error_type":"t","message":"m","fatal":false}}`,
	},
	{
		ID:       modelRule,
		Title:    "an assertion asks a model, and was not evaluated",
		Severity: finding.Info,
		Clause:   "docs/check.md",
		Rationale: "A check reaches no network: the assertions of a suite that ask a judge or have texts embedded are passed over, each with its place, " +
			"and the others are evaluated. `cupel attest eval` asks the models.",
		Bad:  `{assertion_id: helpful, type: llm_judge, spec: {rubric: helpfulness, threshold: 0.75}}`,
		Good: `{assertion_id: polite, type: content, spec: {target: output.message, check: contains, value: please}}`,
	},
}

// passedRecord is a file that is passed over, and whether it may be a record nevertheless.
type passedRecord struct {
	passedFile
	unknown bool
}

// tellPassed reports the files that are passed over. Those that may be records are findings, and
// the rest is listed where --show-files asks for it.
func (k *checking) tellPassed() error {
	for _, f := range k.models {
		if err := k.out.Finding(f); err != nil {
			return err
		}
	}
	show := k.c.Bool("show-files")
	for _, p := range k.passed {
		if p.unknown {
			f := checkRules.Lookup("check.unknown").New(notJudged(p.Reason))
			f.File = p.File
			if err := k.out.Finding(f); err != nil {
				return err
			}
		}
		a := report.Answer{List: passedOverList, Value: p.passedFile}
		if show {
			a.Subject, a.Outcome = p.File, report.Outcome{Word: "passed over, " + p.Reason}
		}
		if show || p.unknown {
			if err := k.out.Answer(a); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkTotals is the report's summary.
type checkTotals struct {
	Files    int         `json:"files"`
	Passed   int         `json:"passed_over"`
	Unknown  int         `json:"unknown"` // of those
	Commands []checkedBy `json:"commands"`
}

// checkedBy is what a command has checked, and the exit code that it would have.
type checkedBy struct {
	Command string `json:"command"`
	Schema  string `json:"schema"`
	Suite   string `json:"suite,omitempty"` // that is evaluated; a document for each
	Files   int    `json:"files"`
	Exit    int    `json:"exit"`
}

// add counts what a command has checked.
func (t *checkTotals) add(by *checker, files int, out *output) {
	done := checkedBy{Command: by.run.Command, Schema: by.run.Schema, Suite: by.suite, Files: files}
	switch {
	case out.failed:
		done.Exit = exitCannot
	case out.no:
		done.Exit = exitNo
	}
	t.Files += files
	t.Commands = append(t.Commands, done)
}

// summary closes the report.
func (k *checking) summary() report.Summary {
	t := k.totals
	t.Passed = len(k.passed)
	for _, p := range k.passed {
		if p.unknown {
			t.Unknown++
		}
	}
	return t.summary(k.excluded)
}

// summary closes a report with these totals; so many of the files that are passed over are excluded.
func (t checkTotals) summary(excluded int) report.Summary {
	t.Commands = append([]checkedBy{}, t.Commands...)
	s := report.Summary{Weight: report.Good}
	text := counted(t.Files, "file") + " checked"
	var parts []string
	for _, by := range t.Commands {
		parts = append(parts, fmt.Sprintf("%d by %s", by.Files, by.Command))
		if by.Exit != exitYes {
			s.Weight = report.Bad
		}
	}
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	text += passedText(t.Passed, excluded)
	if t.Unknown > 0 {
		text += fmt.Sprintf(", of which %d may be records", t.Unknown)
		if s.Weight == report.Good {
			s.Weight = report.Caution
		}
	}
	s.Value, s.Text = t, text
	return s
}

// notJudged says that something was left out, and why.
func notJudged(why string) string { return "passed over: " + why }
