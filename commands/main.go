package commands

import (
	"io"

	"github.com/urfave/cli/v2"
)

// Main runs cupel with the given arguments (args[0] is the program's name) and
// returns its exit code. It reads and writes only through env.
func Main(env Env, args []string) int {
	app := newApp(env)
	normal, err := normalizeArgs(app, args)
	if err == nil {
		err = app.RunContext(env.Context, normal)
	}
	return exitCode(env, err)
}

// newApp builds the command tree. Each subcommand lives in a file of its own.
func newApp(env Env) *cli.App {
	app := cli.NewApp()
	app.Name = "cupel"
	app.Usage = "verify, hash, lint and evaluate what AI agents did"
	app.HideVersion = true
	app.DisableSliceFlagSeparator = true
	app.Reader, app.Writer, app.ErrWriter = env.Stdin, env.Stdout, env.Stderr
	app.ExitErrHandler = func(*cli.Context, error) {} // exit codes are exitCode's business
	app.Commands = []*cli.Command{
		group("evidence", "content hashes of evidence events"),
		group("trace", "traces and session logs of agents"),
		versionCommand(env),
	}
	silence(app)
	return app
}

// group is a command that only holds others: `cupel evidence hash`.
func group(name, usage string, sub ...*cli.Command) *cli.Command {
	return &cli.Command{Name: name, Usage: usage, Subcommands: sub}
}

// silence keeps the library from printing or exiting behind Main's back.
func silence(app *cli.App) {
	cli.OsExiter = func(int) {}
	cli.ErrWriter = io.Discard
	_ = app
}
