package app

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
)

// JobsFlag returns --jobs, the number of workers. It does not affect output.
func JobsFlag(category string) cli.Flag {
	return &cli.IntFlag{Name: "jobs", Category: category, Usage: "`N` workers (default: one for each processor)"}
}

// Jobs reads --jobs; 0 means one worker per processor.
func Jobs(c *cli.Context) (int, error) {
	n := c.Int("jobs")
	if c.IsSet("jobs") && n < 1 {
		return 0, &cmdline.UsageError{Message: fmt.Sprintf("--jobs is %d, expected at least 1", n), Hint: ""}
	}
	return n, nil
}
