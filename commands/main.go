// Package commands is cupel's command line: it turns flags into one library call, the
// result into typed answers and findings, and those into an exit code. It is the only
// package that prints, with those below it.
//
// Each family of commands is a room of its own, in a folder of its name. The imports go one way:
// this package → the rooms → internal/input → internal/app → internal/cmdline → internal/rulelist,
// and no room imports another: what one needs of another is handed to it here.
package commands

import (
	"github.com/urfave/cli/v2"

	attestcmd "github.com/cupel-dev/cupel/commands/attest"
	checkcmd "github.com/cupel-dev/cupel/commands/check"
	evidencecmd "github.com/cupel-dev/cupel/commands/evidence"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	lspcmd "github.com/cupel-dev/cupel/commands/lsp"
	metacmd "github.com/cupel-dev/cupel/commands/meta"
	oatfcmd "github.com/cupel-dev/cupel/commands/oatf"
	reportcmd "github.com/cupel-dev/cupel/commands/report"
	tracecmd "github.com/cupel-dev/cupel/commands/trace"
)

// Env is everything a run of cupel takes from its surroundings.
type Env = cmdline.Env

// WriteSignals are what the system sends to a program whose output cannot be written.
var WriteSignals = app.WriteSignals

// Main runs cupel with the given arguments (args[0] is the program's name) and
// returns its exit code. It reads and writes only through env.
func Main(env Env, args []string) int {
	defer app.BoundHeap()()
	line := cmdline.ReadArgs(newApp(env), attestcmd.EngineArgs(args)[1:])
	if line.Help {
		return cmdline.ExitCode(env, line.PrintHelp(env))
	}
	return cmdline.ExitCode(env, input.WithHints(env, line.App, line.Run(env)))
}

// newApp builds the command tree. Each subcommand lives in a file of its own.
func newApp(env Env) *cli.App {
	tree := func() *cli.App { return newApp(env) }
	app := cli.NewApp()
	app.Name = "cupel"
	app.Usage = "verify, hash, lint and evaluate what AI agents did"
	app.HideVersion = true
	app.HideHelp = true
	app.DisableSliceFlagSeparator = true
	app.Reader, app.Writer, app.ErrWriter = env.Stdin, env.Stdout, env.Stderr
	app.ExitErrHandler = func(*cli.Context, error) {} // exit codes are exitCode's business
	app.Action = func(*cli.Context) error {
		return &cmdline.UsageError{Message: "no command given", Hint: "`cupel help` lists the commands"}
	}
	app.Commands = []*cli.Command{
		checkcmd.Command(env, checkersOf(), tree),
		cmdline.Group("oatf", "OATF documents: attacks on agents",
			oatfcmd.LintCommand(env),
			oatfcmd.FmtCommand(env),
			oatfcmd.NormalizeCommand(env),
			oatfcmd.MigrateCommand(env),
			oatfcmd.EvalCommand(env),
			oatfcmd.ViewCommand(env),
			oatfcmd.SimulateCommand(env),
			oatfcmd.TryCommands(env),
			oatfcmd.ConformanceCommand(env),
		),
		cmdline.Group("evidence", "evidence events, their hashes and bundles",
			evidencecmd.HashCommand(env),
			evidencecmd.VerifyCommand(env),
			evidencecmd.LintCommand(env),
			evidencecmd.SealCommand(env),
			evidencecmd.UnsealCommand(env),
			evidencecmd.RedactCommand(env),
			evidencecmd.AttestCommand(env),
			evidencecmd.ProveCommand(env),
			evidencecmd.VerifyProofCommand(env),
			evidencecmd.ShowCommand(env),
			evidencecmd.DiffCommand(env),
			evidencecmd.SchemaCommand(env),
			evidencecmd.KeygenCommand(env),
			evidencecmd.DigestCommands(env),
		),
		cmdline.Group("trace", "traces and session logs of agents",
			tracecmd.VerifyCommand(env),
			tracecmd.SealCommand(env),
			tracecmd.SchemaCommand(env),
			tracecmd.ReportCommand(env),
		),
		cmdline.Group("attest", "the engine of the attest protocol",
			attestcmd.ServeCommand(env),
			attestcmd.EvalCommand(env),
			attestcmd.ValidateCommand(env),
			attestcmd.SchemaCommand(env),
			attestcmd.CacheCommand(env),
		),
		cmdline.Group("report", "reports of several runs as one",
			reportcmd.MergeCommand(env, mergeKinds(), checkersOf(), tracecmd.LogSummariser{}),
		),
		lspcmd.Command(env),
		metacmd.ExplainCommand(env),
		metacmd.SchemaCommand(env),
		metacmd.SelftestCommand(env),
		cmdline.CompletionCommand(env),
		cmdline.CompleteCommand(env, tree, knownOperands),
		metacmd.VersionCommand(env),
		metacmd.HelpCommand(env, tree),
	}
	cmdline.QuietLibrary(app.Name, app.Commands)
	return app
}
