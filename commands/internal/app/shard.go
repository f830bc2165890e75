package app

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/walk"
)

// ShardFlag returns --shard, for commands that check inputs independently.
func ShardFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "shard", Category: category, Usage: "check only part `I/N` of the inputs, 1/N to N/N (split by file name)"}
}

// Sharded reports whether a run checks only a part of its inputs.
func Sharded(c *cli.Context) bool { return c.IsSet("shard") }

func ShardOf(c *cli.Context) (walk.Shard, error) {
	if !Sharded(c) {
		return walk.Shard{}, nil
	}
	s, err := walk.ParseShard(c.String("shard"))
	if err != nil {
		return s, &cmdline.UsageError{Message: fmt.Sprintf("--shard %v", err), Hint: "give i/N: the runs with 1/N to N/N read every input once"}
	}
	return s, nil
}

// shardRead returns the shard of a run for its report, or nil if it checks all inputs.
func shardRead(c *cli.Context) []string {
	if s, err := ShardOf(c); err == nil && !s.Whole() {
		return []string{s.String()}
	}
	return nil
}

// ShardList collects the names of the inputs of all shards, to prove that shards belong together.
type ShardList struct{ names map[string]bool }

const shardListKey = "cupel.shard-list"

// ShardListOf returns the list of a run, or nil without --shard.
func ShardListOf(c *cli.Context) *ShardList {
	if s, err := ShardOf(c); err != nil || s.Whole() {
		return nil
	}
	if known, ok := c.App.Metadata[shardListKey].(*ShardList); ok {
		return known
	}
	l := &ShardList{names: map[string]bool{}}
	c.App.Metadata[shardListKey] = l
	return l
}

// Add adds the name of an input of any shard.
func (l *ShardList) Add(name string) {
	if l != nil {
		l.names[walk.ShardName(name)] = true
	}
}

// digest returns the SHA-256 of the sorted names, each followed by NUL.
func (l *ShardList) digest() string {
	if l == nil {
		return ""
	}
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(l.names)) {
		_, _ = io.WriteString(h, name+"\x00") // a hash has no errors
	}
	return hex.EncodeToString(h.Sum(nil))
}

// NotSharded returns an error for flags that need all inputs.
func NotSharded(c *cli.Context, flags ...string) error {
	i := slices.IndexFunc(flags, c.IsSet)
	if !Sharded(c) || i < 0 {
		return nil
	}
	return &cmdline.UsageError{Message: fmt.Sprintf("--%s applies to all inputs together, but --shard reads a part of them", flags[i]), Hint: "use the flag in a separate run, without --shard"}
}

// ShardedStdin returns an error for standard input with --shard, because it has no name to assign it by.
func ShardedStdin(c *cli.Context) error {
	if !Sharded(c) {
		return nil
	}
	return &cmdline.UsageError{Message: "--shard splits inputs by name, but standard input has no name", Hint: "name files or folders, or leave --shard out"}
}
