package commands

import (
	"errors"

	"github.com/urfave/cli/v2"

	checkcmd "github.com/cupel-dev/cupel/commands/check"
	evidencecmd "github.com/cupel-dev/cupel/commands/evidence"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	tracecmd "github.com/cupel-dev/cupel/commands/trace"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/walk"
)

// sections are none: verify.html (docs/auditor.md), where a browser runs the program, has no help.
var sections []cmdline.Section

// registry returns the commands of verify.html.
func registry(tree func() *cli.App) []app.Command {
	return []app.Command{
		{Name: "check", Make: func(env Env) *cli.Command { return checkcmd.Command(env, checkersOf(), tree) }},
		{Name: "evidence verify", Make: evidencecmd.VerifyCommand},
		{Name: "trace verify", Make: tracecmd.VerifyCommand},
	}
}

func lineOf(args []string) []string { return args[1:] }

func checkersOf() *input.Checkers {
	suite := elsewhere("a suite")
	return &input.Checkers{
		Records: [input.KindDialog + 1]input.Checker{
			input.KindTrace: {Run: tracecmd.VerifyRun, Check: tracecmd.VerifyTraces},
			input.KindEvidence: {
				Run: evidencecmd.VerifyRun, Flags: []string{"--all", "--payloads"}, Check: evidencecmd.VerifyEvidence,
			},
			input.KindDocument: elsewhere("an OATF document"),
			input.KindDialog:   elsewhere("a trace for attest"),
		},
		Suites: func(walk.Input, func(finding.Finding)) *input.Checker { return &suite },
	}
}

// elsewhere refuses the records that verify.html does not check.
func elsewhere(what string) input.Checker {
	return input.Checker{
		Run: report.Run{Command: "check", Schema: "cupel.check/1"},
		Check: func(cmdline.Env, *cli.Context, *app.Output, input.Finder) (report.Summary, error) {
			return report.Summary{}, &cmdline.Hinted{
				Err: errors.New("verify.html does not check " + what), Hint: "install cupel, and run `cupel check FILE`",
			}
		},
	}
}
