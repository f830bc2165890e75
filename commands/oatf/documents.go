package oatfcmd

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/commands/internal/recognize"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/oatf"
)

// oatfReads returns the kinds of inputs of commands on documents.
func oatfReads() input.Reads {
	return input.Reads{As: input.KindDocument, Patterns: input.YAMLFiles, Files: app.OwnFiles, Probe: input.Of(input.KindDocument), Mend: fmt.Sprintf("give the files the root key %q", recognize.DocumentKey)}
}

// documentLimitFlags returns the limit flags of all commands that read OATF documents.
func documentLimitFlags(category string) []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "max-bytes", Category: category, Value: oatf.DefaultMaxBytes, Usage: "`N`: largest document, in bytes"},
		&cli.IntFlag{Name: "max-nodes", Category: category, Value: oatf.DefaultMaxNodes, Usage: "`N`: most values of a document, estimated; a line can hold a quarter of them"},
		&cli.IntFlag{Name: "max-depth", Category: category, Value: oatf.DefaultMaxDepth, Usage: "`N`: deepest nesting of a document"},
	}
}

// documentLimits reads the limit flags.
func documentLimits(c *cli.Context) (oatf.Limits, error) {
	if err := app.AtLeastOne(c, "max-bytes", "max-nodes", "max-depth"); err != nil {
		return oatf.Limits{}, err
	}
	return oatf.Limits{Bytes: c.Int("max-bytes"), Nodes: c.Int("max-nodes"), Depth: c.Int("max-depth")}, nil
}

// loadOne reads the single document of a command. It warns of content that Parse drops.
func loadOne(env cmdline.Env, c *cli.Context, limits oatf.Limits) (name string, loaded *oatf.LoadResult, err error) {
	unknown, err := unknownFields(c)
	if err != nil {
		return "", nil, err
	}
	known, err := app.ReadRevisions(c, app.ConfiguredBy(c))
	if err != nil {
		return "", nil, err
	}
	in, err := oneDocument(env, c)
	if err != nil {
		return "", nil, err
	}
	revision, err := known.Of(in.Name)
	if err != nil {
		return "", nil, err
	}
	text, err := readDocument(in, limits.WithDefaults().Bytes)
	if err != nil {
		return "", nil, err
	}
	if loaded, err = (oatf.ParseOptions{Limits: limits, UnknownFields: unknown, Revision: revision}).Load(text); err != nil {
		return "", nil, app.FaultIn(in.Name, err)
	}
	for _, w := range loaded.Warnings {
		if w.Code != "P-002" { // what Parse left out; the rest is lint's business
			continue
		}
		cmdline.Warn(env, app.Placed(in.Name, w.Position, w.String()))
	}
	return in.Name, loaded, nil
}

func oneDocument(env cmdline.Env, c *cli.Context) (walk.Input, error) {
	if app.Sharded(c) {
		return walk.Input{}, &cmdline.UsageError{Message: "--shard selects several documents, but only one can be printed", Hint: "`cupel help oatf " + c.Command.Name + "` shows the flags that take several"}
	}
	inputs, err := input.OpenInputs(env, c, oatfReads())
	if err != nil {
		return walk.Input{}, err
	}
	if len(inputs) != 1 {
		return walk.Input{}, &cmdline.UsageError{Message: fmt.Sprintf("found %d documents; give one", len(inputs)), Hint: "`cupel help oatf " + c.Command.Name + "` shows the usage"}
	}
	return inputs[0], nil
}
