// Package lspcmd is `cupel lsp`.
package lspcmd

import (
	"fmt"
	"os/signal"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/buildinfo"
	"github.com/cupel-dev/cupel/internal/lsp"
	"github.com/cupel-dev/cupel/internal/term"
)

// Command is the editor's server on standard input and output.
func Command(env cmdline.Env) *cli.Command {
	const category = "Server"
	return &cli.Command{
		Name:      "lsp",
		Usage:     "check OATF documents, attest suites and cupel.yaml in an editor while they are typed",
		UsageText: "cupel lsp\ncupel lsp --strict\nnvim -c \"lua vim.lsp.start_client({cmd = {'cupel', 'lsp'}})\" attack.yaml",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "strict", Category: category, Usage: "apply the lint rules L, too, as strict: true in cupel.yaml does"},
			&cli.BoolFlag{Name: "stdio", Category: category, Usage: "speak on standard input and output, as it always does: some editors give the flag"},
		},
		Action: func(c *cli.Context) error { return serveEditor(env, c) },
	}
}

// serveEditor answers an editor until it says exit. As the protocol wants it, the answer is no
// when the editor has not asked for the shutdown before.
func serveEditor(env cmdline.Env, c *cli.Context) error {
	signal.Ignore(app.WriteSignals...)
	defer signal.Reset(app.WriteSignals...)
	ctx, release := signal.NotifyContext(c.Context, syscall.SIGTERM)
	defer release()
	if term.IsTerminal(env.Stdin) {
		fmt.Fprintln(env.Stderr, "cupel: hint: the server waits for an editor on standard input; docs/editors.md says how to set one up; Ctrl-D ends it")
	}
	orderly, err := lsp.Serve(ctx, env.Stdin, env.Stdout, newEditorLanguage(c.Context, c.Bool("strict")), lsp.Options{
		Name: "cupel", Version: buildinfo.Version,
		Log: func(fault string) { cmdline.PrintError(env, fault, "") },
	})
	switch {
	case err != nil:
		cmdline.SayError(env, err) // also that of a closed pipe, of which other commands say nothing
		return cmdline.ErrSaid
	case c.Context.Err() != nil:
		return c.Context.Err()
	case !orderly && ctx.Err() == nil:
		return cmdline.ErrNo
	}
	return nil
}
