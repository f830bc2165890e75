package commands

import (
	"fmt"

	"github.com/urfave/cli/v2"
)

// jobsFlag is --jobs: how many workers share the work of a command. What it prints
// never depends on it.
func jobsFlag(category string) cli.Flag {
	return &cli.IntFlag{Name: "jobs", Category: category, Usage: "`N` workers (default: one for each processor)"}
}

// jobs reads --jobs; 0 stands for one worker for each processor.
func jobs(c *cli.Context) (int, error) {
	n := c.Int("jobs")
	if c.IsSet("jobs") && n < 1 {
		return 0, &usageError{fmt.Sprintf("--jobs is %d, expected at least 1", n), ""}
	}
	return n, nil
}
