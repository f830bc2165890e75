package commands

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/oatf"
)

// oatfReads is what the commands for documents read.
func oatfReads() reads {
	return reads{As: kindDocument, Patterns: yamlFiles, Files: ownFiles, Probe: looksLikeOATF, Claims: claimsOATF, Mend: fmt.Sprintf("give the files the root key %q", rootKey)}
}

// faultIn words the first fault of a document with its place in the file, and what helps.
func faultIn(file string, fault error) error {
	var at oatf.Position
	help := "`cupel oatf lint` shows every fault in its place"
	if parse, ok := errors.AsType[*oatf.ParseError](fault); ok {
		at = parse.Position
		if parse.Help != "" {
			help = parse.Help + "; " + help
		}
	} else if invalid, ok := errors.AsType[*oatf.ValidationError](fault); ok {
		at = invalid.Position
	}
	return &hinted{errors.New(placed(file, at, fault.Error())), help}
}

// placed is what an error or a warning says, with its place as FILE:LINE:COLUMN instead of in
// words.
func placed(file string, at oatf.Position, said string) string {
	if at.Line == 0 {
		return file + ": " + said
	}
	_, said, _ = strings.Cut(said, ": ")
	return fmt.Sprintf("%s:%d:%d: %s", file, at.Line, at.Column, said)
}

// documentLimitFlags are the flags of every command that reads OATF documents.
func documentLimitFlags(category string) []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "max-bytes", Category: category, Value: oatf.DefaultMaxBytes, Usage: "`N`: largest document, in bytes"},
		&cli.IntFlag{Name: "max-nodes", Category: category, Value: oatf.DefaultMaxNodes, Usage: "`N`: most values of a document, by an estimate; a line may hold a quarter of them"},
		&cli.IntFlag{Name: "max-depth", Category: category, Value: oatf.DefaultMaxDepth, Usage: "`N`: deepest nesting of a document"},
	}
}

// documentLimits are the limits that those flags set.
func documentLimits(c *cli.Context) (oatf.Limits, error) {
	if err := atLeastOne(c, "max-bytes", "max-nodes", "max-depth"); err != nil {
		return oatf.Limits{}, err
	}
	return oatf.Limits{Bytes: c.Int("max-bytes"), Nodes: c.Int("max-nodes"), Depth: c.Int("max-depth")}, nil
}

// atLeastOne refuses flags that are given as less.
func atLeastOne(c *cli.Context, flags ...string) error {
	for _, name := range flags {
		if n := c.Int(name); c.IsSet(name) && n < 1 {
			return &usageError{fmt.Sprintf("--%s is %d, expected at least 1", name, n), ""}
		}
	}
	return nil
}

// loadOne reads the one document of a command. What Parse leaves out of it is said.
func loadOne(env Env, c *cli.Context, limits oatf.Limits) (name string, loaded *oatf.LoadResult, err error) {
	unknown, err := unknownFields(c)
	if err != nil {
		return "", nil, err
	}
	known, err := readRevisions(c, configuredBy(c))
	if err != nil {
		return "", nil, err
	}
	in, err := oneDocument(env, c)
	if err != nil {
		return "", nil, err
	}
	revision, err := known.of(in.Name)
	if err != nil {
		return "", nil, err
	}
	text, err := readDocument(in, nil, limits.WithDefaults().Bytes)
	if err != nil {
		return "", nil, err
	}
	if loaded, err = (oatf.ParseOptions{Limits: limits, UnknownFields: unknown, Revision: revision}).Load(text); err != nil {
		return "", nil, faultIn(in.Name, err)
	}
	for _, w := range loaded.Warnings {
		if w.Code != "P-002" { // what Parse left out; the rest is lint's business
			continue
		}
		warn(env, placed(in.Name, w.Position, w.String()))
	}
	return in.Name, loaded, nil
}

// oneDocument is the single input of a command that takes one document.
func oneDocument(env Env, c *cli.Context) (walk.Input, error) {
	if sharded(c) {
		return walk.Input{}, &usageError{"--shard is for several documents, and one is printed", "`cupel help oatf " + c.Command.Name + "` shows the flags that take several"}
	}
	inputs, err := openInputs(env, c, oatfReads())
	if err != nil {
		return walk.Input{}, err
	}
	if len(inputs) != 1 {
		return walk.Input{}, &usageError{fmt.Sprintf("the operands stand for %d documents; give one", len(inputs)), "`cupel help oatf " + c.Command.Name + "` shows the usage"}
	}
	return inputs[0], nil
}
