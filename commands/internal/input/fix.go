package input

import (
	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
)

// FixFlags returns the flags that mend files.
func FixFlags(files string) []cli.Flag {
	const category = "Fix"
	return []cli.Flag{
		&cli.BoolFlag{Name: "fix", Category: category, Usage: "apply the fixes to the " + files + " and report the rest"},
		&cli.BoolFlag{Name: "diff", Category: category, Usage: "show the changes of --fix without writing; fail if there are any"},
		&cli.BoolFlag{Name: "unsafe-fixes", Category: category, Usage: "also apply or show unsafe fixes, which rest on a guess"},
	}
}

// FixesAgree returns an error for flags that contradict each other.
func FixesAgree(c *cli.Context) error {
	switch {
	case c.Bool("fix") && c.Bool("diff"):
		return &cmdline.UsageError{Message: "--fix writes changes, but --diff only shows them", Hint: cmdline.LeaveOneHint}
	case c.Bool("unsafe-fixes") && !c.Bool("fix") && !c.Bool("diff"):
		return &cmdline.UsageError{Message: "--unsafe-fixes needs --fix or --diff", Hint: "add --diff to see what would change"}
	}
	return nil
}
