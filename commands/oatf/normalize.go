package oatfcmd

import (
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/oatf"
)

// NormalizeCommand is `cupel oatf normalize`.
func NormalizeCommand(env cmdline.Env) *cli.Command {
	return app.ShowingConfig(env, &cli.Command{
		Name:      "normalize",
		Usage:     "write the canonical form of an OATF document, with defaults and shorthands expanded",
		ArgsUsage: "[FILE]",
		UsageText: "cupel oatf normalize attack.yaml\ncupel oatf normalize attack.yaml > canonical.yaml\ngenerate | cupel oatf normalize -",
		Flags: slices.Concat([]cli.Flag{
			app.RevisionFlag("Document", app.ByMarks),
			unknownFieldsFlag("Document"),
			&cli.BoolFlag{Name: "omit-inherited-modes", Category: "Document", Usage: "omit the mode of phases that inherit it from their actor"},
		}, documentLimitFlags("Document"), input.InputFlags()),
		Action: func(c *cli.Context) error {
			limits, err := documentLimits(c)
			if err != nil {
				return err
			}
			_, loaded, err := loadOne(env, c, limits)
			if err != nil {
				return err
			}
			// The document is already normalized; normalizing again only omits modes.
			doc := oatf.NormalizeOptions{OmitInheritedModes: c.Bool("omit-inherited-modes")}.Normalize(loaded.Document)
			_, err = env.Stdout.Write(oatf.Serialize(doc))
			return err
		},
	})
}
