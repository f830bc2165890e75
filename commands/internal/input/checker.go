package input

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/walk"
)

// Checker is a command that `cupel check` runs.
type Checker struct {
	Run   report.Run
	Flags []string   // that it is called with
	Files app.Origin // whose the records are
	Suite string     // that it evaluates; "": none
	Check func(cmdline.Env, *cli.Context, *app.Output, Finder) (report.Summary, error)
}

// Checkers are the commands that `cupel check` runs.
type Checkers struct {
	// Records are the commands by kind of record, in the order of the report.
	Records [KindDialog + 1]Checker
	// Suites returns the command that evaluates a suite. It calls leftOut for assertions that need a model.
	Suites func(suite walk.Input, leftOut func(finding.Finding)) *Checker
	// Evaluates is the report of that command.
	Evaluates report.Run
}

type CheckTotals struct {
	Files    int         `json:"files"`
	Passed   int         `json:"passed_over"`
	Unknown  int         `json:"unknown"` // of those
	Commands []CheckedBy `json:"commands"`
}

// CheckedBy is a command's part of a check, with its exit code.
type CheckedBy struct {
	Command string `json:"command"`
	Schema  string `json:"schema"`
	Suite   string `json:"suite,omitempty"` // that is evaluated; a document for each
	Files   int    `json:"files"`
	Exit    int    `json:"exit"`
}

func (t *CheckTotals) Add(by *Checker, files int, out *app.Output) {
	done := CheckedBy{Command: by.Run.Command, Schema: by.Run.Schema, Suite: by.Suite, Files: files}
	switch {
	case out.Failed:
		done.Exit = cmdline.ExitCannot
	case out.AnsweredNo:
		done.Exit = cmdline.ExitNo
	}
	t.Files += files
	t.Commands = append(t.Commands, done)
}

// Summary returns the summary. excluded counts skipped files that configuration excludes. found is the total of all
// commands.
func (t CheckTotals) Summary(excluded int, found report.Tally) report.Summary {
	t.Commands = append([]CheckedBy{}, t.Commands...)
	s := report.Summary{Weight: report.Good}
	for _, by := range t.Commands {
		if by.Exit != cmdline.ExitYes {
			s.Weight = report.Bad
		}
	}
	found.Noun, found.Total, found.Rest = "file", t.Files, strings.TrimPrefix(passedText(t.Passed, excluded), "; ")
	if t.Unknown > 0 {
		found.Warnings += t.Unknown
		if s.Weight == report.Good {
			s.Weight = report.Caution
		}
	}
	s.Value, s.Tally = t, &found
	return s
}
