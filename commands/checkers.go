//go:build !js

package commands

import (
	attestcmd "github.com/cupel-dev/cupel/commands/attest"
	evidencecmd "github.com/cupel-dev/cupel/commands/evidence"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/input"
	oatfcmd "github.com/cupel-dev/cupel/commands/oatf"
	tracecmd "github.com/cupel-dev/cupel/commands/trace"
)

// checkersOf are the commands that check calls.
func checkersOf() *input.Checkers {
	return &input.Checkers{
		Records: [input.KindDialog + 1]input.Checker{
			input.KindTrace:    {Run: tracecmd.VerifyRun, Check: tracecmd.VerifyTraces},
			input.KindEvidence: {Run: evidencecmd.VerifyRun, Flags: []string{"--all", "--payloads"}, Check: evidencecmd.VerifyEvidence},
			input.KindDocument: {Run: oatfcmd.LintRun, Files: app.OwnFiles, Check: oatfcmd.LintDocuments},
			input.KindDialog:   {Run: attestcmd.ValidateRun, Check: attestcmd.ValidateTraces},
		},
		Suites:    attestcmd.SuiteChecker,
		Evaluates: attestcmd.EvalRun,
	}
}
