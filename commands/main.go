package commands

import (
	"io"

	"github.com/urfave/cli/v2"
)

// Main runs cupel with the given arguments (args[0] is the program's name) and
// returns its exit code. It reads and writes only through env.
func Main(env Env, args []string) int {
	defer boundHeap()()
	line := readArgs(newApp(env), engineArgs(args)[1:])
	if line.help {
		return exitCode(env, line.printHelp(env))
	}
	return exitCode(env, withHints(env, line.app, line.run(env)))
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
		return &usageError{"no command given", "`cupel help` lists the commands"}
	}
	app.Commands = []*cli.Command{
		checkCommand(env, checkersOf(), tree),
		group("oatf", "OATF documents: attacks on agents",
			oatfLintCommand(env),
			oatfFmtCommand(env),
			oatfNormalizeCommand(env),
			oatfMigrateCommand(env),
			oatfEvalCommand(env),
			oatfViewCommand(env),
			oatfSimulateCommand(env),
			oatfTryCommands(env),
			oatfConformanceCommand(env),
		),
		group("evidence", "evidence events, their hashes and bundles",
			evidenceHashCommand(env),
			evidenceVerifyCommand(env),
			evidenceLintCommand(env),
			evidenceSealCommand(env),
			evidenceUnsealCommand(env),
			evidenceRedactCommand(env),
			evidenceAttestCommand(env),
			evidenceProveCommand(env),
			evidenceVerifyProofCommand(env),
			evidenceShowCommand(env),
			evidenceDiffCommand(env),
			evidenceSchemaCommand(env),
			evidenceKeygenCommand(env),
			evidenceDigestCommands(env),
		),
		group("trace", "traces and session logs of agents",
			traceVerifyCommand(env),
			traceSealCommand(env),
			traceSchemaCommand(env),
			traceReportCommand(env),
		),
		group("attest", "the engine of the attest protocol",
			attestServeCommand(env),
			attestEvalCommand(env),
			attestValidateCommand(env),
			attestSchemaCommand(env),
			attestCacheCommand(env),
		),
		group("report", "reports of several runs as one",
			reportMergeCommand(env, mergeKinds(), checkersOf(), logSummariser{}),
		),
		lspCommand(env),
		explainCommand(env),
		schemaCommand(env),
		selftestCommand(env),
		completionCommand(env),
		completeCommand(env, tree, knownOperands),
		versionCommand(env),
		helpCommand(env, tree),
	}
	quietLibrary(app.Name, app.Commands)
	return app
}

// quietLibrary keeps the library from adding help of its own, and from printing or
// exiting behind Main's back. parent is the full name of the commands' parent.
func quietLibrary(parent string, list []*cli.Command) {
	cli.OsExiter = func(int) {}
	cli.ErrWriter = io.Discard
	for _, cmd := range list {
		cmd.HideHelp = true
		cmd.HelpName = parent + " " + cmd.Name
		quietLibrary(cmd.HelpName, cmd.Subcommands)
	}
}
