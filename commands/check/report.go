package checkcmd

import (
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
)

// passedRecord is a skipped file and whether it can be a record.
type passedRecord struct {
	input.PassedFile
	unknown bool
	secrets []finding.Finding // that a search has found in it
}

// tellPassed reports skipped files: possible records as findings, others with --show-files.
func (k *checkRun) tellPassed() error {
	for _, f := range k.models {
		if err := k.out.Finding(f); err != nil {
			return err
		}
	}
	show := k.c.Bool("show-files")
	for _, p := range k.passed {
		if p.unknown {
			f := rulelist.CheckRules.Lookup("check.unknown").New(notJudged(p.Reason))
			f.File = p.File
			if err := k.out.Finding(f); err != nil {
				return err
			}
		}
		for _, f := range p.secrets {
			if err := k.out.Finding(f); err != nil {
				return err
			}
		}
		a := report.Answer{List: input.PassedOverList, Value: p.PassedFile}
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

// summary closes the report.
func (k *checkRun) summary() report.Summary {
	t := k.totals
	t.Passed = len(k.passed)
	for _, p := range k.passed {
		if p.unknown {
			t.Unknown++
		}
	}
	return t.Summary(k.excluded, k.out.Parts())
}

// notJudged reports what was skipped, and why.
func notJudged(why string) string { return "passed over: " + why }
