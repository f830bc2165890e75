// Package commands is cupel's command line: it converts flags to a library call, the result to
// typed answers and findings, and those to an exit code. Only it and its subpackages print.
//
// Each family of commands has a folder. Imports go one way: this package → family folders → internal/input →
// internal/app → internal/cmdline → internal/rulelist. Families do not import each other; this package connects them.
package commands

import (
	"errors"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/commands/internal/stdout"
	"github.com/cupel-dev/cupel/internal/decided"
)

// Env is the environment of a run.
type Env = cmdline.Env

// WriteSignals are the signals sent to a program whose output cannot be written.
var WriteSignals = app.WriteSignals

// Main runs cupel with args (args[0] is the program's name) and returns the exit code. It reads and
// writes only through env.
func Main(env Env, args []string) int {
	if env.Stdout == io.Writer(os.Stdout) && stdout.Closed() {
		return cmdline.ExitCode(env, &cmdline.Hinted{Err: errStdoutClosed, Hint: "send it to a file, a pipe or /dev/null"})
	}
	defer app.BoundHeap()()
	env.Context = decided.With(env.Context)
	line := cmdline.ReadArgs(newApp(env), lineOf(args))
	if line.Help {
		return cmdline.ExitCode(env, line.PrintHelp(env))
	}
	return cmdline.ExitCode(env, input.WithHints(env, line.App, line.Run(env)))
}

// errStdoutClosed is returned if standard output is closed.
var errStdoutClosed = errors.New("standard output is closed")

// newApp builds the command tree.
func newApp(env Env) *cli.App {
	tree := func() *cli.App { return newApp(env) }
	root := cli.NewApp()
	root.Name = "cupel"
	root.Usage = "check the logs, evidence, attack documents and tests of AI agents"
	root.HideVersion = true
	root.HideHelp = true
	root.DisableSliceFlagSeparator = true
	root.Reader, root.Writer, root.ErrWriter = env.Stdin, env.Stdout, env.Stderr
	root.ExitErrHandler = func(*cli.Context, error) {} // exit codes are exitCode's business
	grow(env, root, registry(tree))
	cmdline.QuietLibrary(root.Name, root.Commands)
	return root
}

// groups maps command groups to their usage.
var groups = map[string]string{
	"oatf":            "OATF attack documents",
	"oatf try":        "evaluate one expression of a document on one message",
	"evidence":        "evidence events and bundles",
	"evidence digest": "digests that events record about tools, policies and JSON",
	"trace":           "logs and transcripts",
	"attest":          "tests of agent traces",
	"report":          "reports of several runs",
}

// grow creates a tree's commands by group and registers them.
func grow(env Env, root *cli.App, list []app.Command) {
	about, made := map[string]cmdline.About{}, map[string]*cli.Command{}
	for _, c := range list {
		about[c.Name] = c.About
		add := func(sub *cli.Command) { root.Commands = append(root.Commands, sub) }
		words := strings.Fields(c.Name)
		for i := 1; i < len(words); i++ {
			name := strings.Join(words[:i], " ")
			group := made[name]
			if group == nil {
				group = cmdline.Group(words[i-1], groups[name])
				group.Hidden = false
				made[name] = group
				add(group)
			}
			add = func(sub *cli.Command) { group.Subcommands = append(group.Subcommands, sub) }
		}
		add(c.Make(env))
	}
	cmdline.SetAbout(root, about)
	cmdline.SetSections(root, sections)
}
