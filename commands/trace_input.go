package commands

import (
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

// around is what is open beside an input of `trace verify` and `trace report`.
type around struct{ open []io.Closer }

// openAround opens the folder of an input and what --evidence-root names.
func openAround(c *cli.Context, in walk.Input, opt *trace.ReasoningOptions) (a around, err error) {
	run, err := in.Folder()
	switch {
	case err != nil:
		return a, fmt.Errorf("cannot open the folder of %q: %w", in.Name, walk.Plain(err))
	case run != nil: // a pipe has none
		a.open = append(a.open, run)
		opt.Run = run
	}
	if dir := c.String("evidence-root"); dir != "" {
		evidence, err := door.Open(dir)
		if err != nil {
			return a, &hinted{fmt.Errorf("cannot open --evidence-root %q: %w", dir, walk.Plain(err)), ""}
		}
		a.open = append(a.open, evidence)
		opt.Evidence = evidence
	}
	return a, nil
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
