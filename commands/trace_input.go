package commands

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

// around is what is open beside an input of `trace verify` and `trace report`.
type around struct{ open []io.Closer }

// openAround opens the folder of an input and what --evidence-root and --plan name.
func openAround(c *cli.Context, in walk.Input, opt *trace.ReasoningOptions) (a around, err error) {
	if in.Path != "" && in.Size >= 0 { // a pipe has no folder
		run, err := a.folder(in.Dir())
		if err != nil {
			return a, fmt.Errorf("cannot open the folder of %q: %w", in.Name, walk.Plain(err))
		}
		opt.Run = run
	}
	if dir := c.String("evidence-root"); dir != "" {
		evidence, err := a.folder(dir)
		if err != nil {
			return a, &hinted{fmt.Errorf("cannot open --evidence-root %q: %w", dir, walk.Plain(err)), ""}
		}
		opt.Evidence = evidence
	}
	if name := c.String("plan"); name != "" {
		f, err := os.Open(name)
		if err != nil {
			return a, fmt.Errorf("cannot open --plan: %w", walk.Plain(err))
		}
		a.open = append(a.open, f)
		opt.Plan, opt.PlanName = f, filepath.ToSlash(name)
	}
	return a, nil
}

func (a *around) folder(dir string) (*door.Folder, error) {
	folder, err := door.Open(dir)
	if err == nil {
		a.open = append(a.open, folder)
	}
	return folder, err
}

func (a *around) close() {
	for _, c := range a.open {
		_ = c.Close() // opened for reading: nothing can be lost
	}
}

// explained adds the input's name to an error, and what to do about it.
func explained(in walk.Input, err error) error {
	var limit *trace.LimitError
	named := fmt.Errorf("cannot verify %q: %w", in.Name, walk.Plain(err))
	if errors.As(err, &limit) {
		return &hinted{named, "raise the limit with " + limit.Flag}
	}
	return named
}
