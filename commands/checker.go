package commands

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/urfave/cli/v2"
)

// checker is a command that check calls.
type checker struct {
	run   report.Run
	flags []string // that it is called with
	files origin   // whose the records are
	suite string   // that it evaluates; "": none
	check func(Env, *cli.Context, *output, finder) (report.Summary, error)
}

// checkers are what check calls.
type checkers struct {
	// records are the commands by the kind of the records that they are for, in the order of the report.
	records [kindDialog + 1]checker
	// suites is the command that evaluates a suite, which tells leftOut of the assertions that ask a model.
	suites func(suite walk.Input, leftOut func(finding.Finding)) *checker
	// evaluates is the report of that command.
	evaluates report.Run
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
