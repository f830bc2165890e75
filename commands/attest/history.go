package attestcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/history"
	"github.com/cupel-dev/cupel/attest/serve"
	"github.com/cupel-dev/cupel/attest/suite"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/door"
)

func historyFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "history", Category: category, Usage: "append scores to `FILE`, for dynamic thresholds and query_drift (default: none)"}
}

// keepHistory opens the history file named by a flag or the configuration. It returns nil without one.
func keepHistory(ctx context.Context, c *cli.Context, config *serve.Config, log *slog.Logger) (*history.Store, error) {
	if c.IsSet("history") {
		config.History = c.String("history")
	}
	if config.History == "" {
		return nil, nil
	}
	store, err := history.Open(ctx, config.History, history.Options{Logger: log})
	if err != nil {
		return nil, historyError(config.History, err)
	}
	if past, err := historyFile.Open(ctx, config.History); err == nil {
		_, _ = io.Copy(io.Discard, past) // what cannot be read, the store says
		_ = past.Close()                 // opened for reading: nothing can be lost
	}
	config.Engine.History = store
	return store, nil
}

// historyFile is the history. It becomes part of the signed verdict.
var historyFile = app.SideFile{From: "--history", Opener: door.Named, Role: "history"}

// historyError returns the error for a history that cannot be opened, read or written.
func historyError(name string, err error) error {
	hint := ""
	switch {
	case errors.Is(err, door.ErrDangling):
		hint = "remove the link, or make the file that it names, empty"
	case errors.Is(err, history.ErrForeign), isRefused(err):
		hint = "name a new file, or the history of an earlier run"
	case errors.Is(err, fs.ErrNotExist):
		hint = "create the folder of the file"
	}
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err // the message names the file
	}
	err = fmt.Errorf("cannot use the history %q: %w", name, err)
	if hint == "" {
		return err
	}
	return &cmdline.Hinted{Err: err, Hint: hint}
}

func isRefused(err error) bool {
	_, refused := errors.AsType[*door.RefusedError](err)
	return refused
}

// scorekeeper adds the scores of a run to a history. A nil *scorekeeper does nothing.
type scorekeeper struct {
	name   string
	store  *history.Store
	failed bool // an error was said; nothing more is added
}

// keepScores is keepHistory for a run. Scores are added at the end, so that results do not depend on the order of
// traces.
func keepScores(ctx context.Context, c *cli.Context, config *serve.Config, log *slog.Logger) (*scorekeeper, error) {
	store, err := keepHistory(ctx, c, config, log)
	if store == nil {
		return nil, err
	}
	if err := store.Freeze(ctx); err != nil {
		store.Close()
		return nil, historyError(config.History, err)
	}
	return &scorekeeper{name: config.History, store: store}, nil
}

// add adds the scores of a trace. Traces must be added in the order of the run.
func (k *scorekeeper) add(ctx context.Context, engine *attest.Engine, results []suite.Result) error {
	if k == nil || k.failed {
		return nil
	}
	list := make([]attest.Result, len(results))
	for i, r := range results {
		list[i] = r.Result
	}
	if err := engine.Record(ctx, list); err != nil {
		k.failed = true
		return historyError(k.name, err)
	}
	return nil
}

func (k *scorekeeper) close() {
	if k != nil {
		k.store.Close()
	}
}
