package attestcmd

import (
	"fmt"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/urfave/cli/v2"
)

// checkPrune returns an error if the run leaves out assertions, whose recorded answers would be removed.
func checkPrune(c *cli.Context) error {
	for _, flag := range []string{"tag", "filter"} {
		if c.Bool("prune") && c.IsSet(flag) {
			return &cmdline.UsageError{Message: fmt.Sprintf("--prune would remove recorded answers that assertions outside of --%s need", flag), Hint: "run --prune with all assertions"}
		}
	}
	return nil
}

// tidy reports or removes unused recorded answers. It does nothing in a partial run.
func (e *evalRun) tidy(c *cli.Context) error {
	prune := c.Bool("prune")
	switch {
	case e.models.cassette == nil, c.IsSet("tag"), c.IsSet("filter"), app.Sharded(c):
		return nil
	case e.counts.Error > 0 || e.counts.Skipped > 0:
		if prune {
			e.out.Warn("--prune removed nothing: assertions that were not evaluated still need their recorded answers")
		}
		return nil
	case prune:
		removed, err := e.models.cassette.Prune()
		e.removed = len(removed)
		return err
	}
	unused, err := e.models.cassette.Unused()
	if err != nil || len(unused) == 0 {
		return err
	}
	return e.out.Finding(attest.UnusedRecordings(e.models.dir, unused))
}
