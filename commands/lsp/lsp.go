// Package lspcmd is `cupel lsp`.
package lspcmd

import (
	"context"
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

type options struct{ strict, stdio bool }

// Spec is the language server on standard input and output.
var Spec = app.Spec[options]{
	Name:     "lsp",
	Usage:    "language server for OATF documents, attest suites and cupel.yaml",
	Examples: []string{"cupel lsp", "cupel lsp --strict", "nvim -c \"lua vim.lsp.start_client({cmd = {'cupel', 'lsp'}})\" attack.yaml"},
	About:    cmdline.About{Docs: []string{"editors"}},
	Flags: func(o *options) []cli.Flag {
		const category = "Server"
		return []cli.Flag{
			&cli.BoolFlag{Name: "strict", Category: category, Destination: &o.strict, Usage: "also apply the lint rules L, like strict: true in cupel.yaml"},
			&cli.BoolFlag{Name: "stdio", Category: category, Destination: &o.stdio, Usage: "accepted for compatibility; cupel always uses stdio"},
		}
	},
	Run: serveEditor,
}

// serveEditor serves an editor until exit. The exit code is 1 without a prior shutdown, as the protocol requires.
func serveEditor(run context.Context, r *app.Run, o options) error {
	signal.Ignore(app.WriteSignals...)
	defer signal.Reset(app.WriteSignals...)
	ctx, release := signal.NotifyContext(run, syscall.SIGTERM)
	defer release()
	if term.IsTerminal(r.Stdin) {
		fmt.Fprintln(r.Stderr, "cupel: hint: the server waits for an editor on standard input; `cupel help editors` shows how to set one up; Ctrl-D ends it")
	}
	orderly, err := lsp.Serve(ctx, r.Stdin, r.Stdout, newEditorLanguage(run, o.strict), lsp.Options{
		Name: "cupel", Version: buildinfo.Version,
		Log: func(fault string) { cmdline.PrintError(r.Env, fault, "") },
	})
	switch {
	case err != nil:
		cmdline.SayError(r.Env, err) // also for a closed pipe, which other commands ignore
		return cmdline.ErrSaid
	case run.Err() != nil:
		return run.Err()
	case !orderly && ctx.Err() == nil:
		return cmdline.ErrNo
	}
	return nil
}
