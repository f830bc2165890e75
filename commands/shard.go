package commands

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/walk"
)

// shardFlag is that of the commands with several inputs, each of which is answered by itself.
func shardFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "shard", Category: category, Usage: "read only the inputs of shard `I/N`, from 1/N to N/N; which it is depends on an input's name alone"}
}

// sharedFlags are the input flags of those commands.
func sharedFlags() []cli.Flag { return append(inputFlags(), shardFlag("Input")) }

// sharded says whether a run reads a part of its inputs.
func sharded(c *cli.Context) bool { return c.IsSet("shard") }

// shardOf reads --shard.
func shardOf(c *cli.Context) (walk.Shard, error) {
	if !sharded(c) {
		return walk.Shard{}, nil
	}
	s, err := walk.ParseShard(c.String("shard"))
	if err != nil {
		return s, &usageError{fmt.Sprintf("--shard %v", err), "the N runs with 1/N, 2/N, … N/N read every input once"}
	}
	return s, nil
}

// shardRead is the shard that a run reads, as its report names it; nil: it reads all inputs.
func shardRead(c *cli.Context) []string {
	if s, err := shardOf(c); err == nil && !s.Whole() {
		return []string{s.String()}
	}
	return nil
}

// notSharded refuses flags that are about all inputs together, of which a shard has a part.
func notSharded(c *cli.Context, flags ...string) error {
	i := slices.IndexFunc(flags, c.IsSet)
	if !sharded(c) || i < 0 {
		return nil
	}
	return &usageError{fmt.Sprintf("--%s is about all inputs together, but --shard reads a part of them", flags[i]), "use it in a run of its own, without --shard"}
}

// shardedStdin refuses standard input in a shard: it has no name that could tell whose it is.
func shardedStdin(c *cli.Context) error {
	if !sharded(c) {
		return nil
	}
	return &usageError{"--shard deals out inputs by their names, and standard input has none", "name files or folders, or leave --shard out"}
}
