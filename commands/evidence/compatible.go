package evidencecmd

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence/bundle"
)

func compatibleFlags(category string) []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "compatible", Category: category, Usage: "also accept, with warnings, bundles that version `5` of the reference implementation accepted; 5 is the only value"},
		&cli.BoolFlag{Name: "allow-trailing", Hidden: true, Usage: "refused: --compatible 5 accepts bundles of older writers"},
	}
}

// compatibleOf reads compatibleFlags. 0 is the current contract.
func compatibleOf(c *cli.Context) (int, error) {
	version := c.Int("compatible")
	switch {
	case c.IsSet("allow-trailing"):
		return 0, &cmdline.UsageError{Message: "--allow-trailing no longer exists: bytes after the end of a bundle make it invalid", Hint: "--compatible 5 accepts them with a warning if no program reads them as part of the bundle"}
	case c.IsSet("compatible") && version != bundle.Version5:
		return 0, &cmdline.UsageError{Message: fmt.Sprintf("--compatible is %d, expected 5", version), Hint: "leave --compatible out to apply the current contract"}
	}
	return version, nil
}
