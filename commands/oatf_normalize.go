package commands

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/oatf"
)

func oatfNormalizeCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "normalize",
		Usage:     "write the canonical form of an OATF document: every default and shorthand expanded",
		ArgsUsage: "[FILE]",
		UsageText: "cupel oatf normalize attack.yaml\ncupel oatf normalize attack.yaml > canonical.yaml\ngenerate | cupel oatf normalize -",
		Flags: slices.Concat([]cli.Flag{
			unknownFieldsFlag("Document"),
			&cli.BoolFlag{Name: "omit-inherited-modes", Category: "Document", Usage: "leave the mode out of phases that inherit it from their actor"},
		}, documentLimitFlags("Document"), inputFlags()),
		Action: func(c *cli.Context) error {
			unknown, err := unknownFields(c)
			if err != nil {
				return err
			}
			limits, err := documentLimits(c)
			if err != nil {
				return err
			}
			in, err := oneDocument(env, c)
			if err != nil {
				return err
			}
			text, err := readDocument(in, nil, limits.Bytes)
			if err != nil {
				return err
			}
			loaded, err := oatf.ParseOptions{Limits: limits, UnknownFields: unknown}.Load(text)
			if err != nil {
				return faultIn(in.Name, err)
			}
			for _, w := range loaded.Warnings {
				if w.Code != "P-002" { // what Parse left out; the rest is lint's business
					continue
				}
				warn(env, placed(in.Name, w.Position, w.String()))
			}
			// The loaded document is expanded in full; normalizing again only leaves out.
			doc := oatf.NormalizeOptions{OmitInheritedModes: c.Bool("omit-inherited-modes")}.Normalize(loaded.Document)
			_, err = env.Stdout.Write(oatf.Serialize(doc))
			return err
		},
	}
}

// oneDocument is the single input of a command that takes one document.
func oneDocument(env Env, c *cli.Context) (walk.Input, error) {
	inputs, err := openInputs(env, c, oatfReads())
	if err != nil {
		return walk.Input{}, err
	}
	if len(inputs) != 1 {
		return walk.Input{}, &usageError{fmt.Sprintf("the operands stand for %d documents; give one", len(inputs)), "`cupel help oatf " + c.Command.Name + "` shows the usage"}
	}
	return inputs[0], nil
}
