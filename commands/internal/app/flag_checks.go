package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
)

// AtLeastOne returns an error if one of the flags is given with a value below 1.
func AtLeastOne(c *cli.Context, flags ...string) error {
	for _, name := range flags {
		if n := c.Int(name); c.IsSet(name) && n < 1 {
			return &cmdline.UsageError{Message: fmt.Sprintf("--%s is %d, expected at least 1", name, n), Hint: ""}
		}
	}
	return nil
}

// OneOf returns an error if one of the flags is combined with several inputs or --shard.
func OneOf(c *cli.Context, inputs int, flags ...string) error {
	if err := NotSharded(c, flags...); err != nil {
		return err
	}
	for _, name := range flags {
		if inputs > 1 && c.IsSet(name) {
			return &cmdline.UsageError{Message: fmt.Sprintf("--%s applies to one input, but there are %d", name, inputs), Hint: ""}
		}
	}
	return nil
}

// LiveFindings reports whether findings are printed as they are found: if jsonl is the only format, or for a
// followed log with text or line formats.
func LiveFindings(c *cli.Context) bool {
	formats := c.StringSlice("format")
	if !c.Bool("follow") {
		return len(formats) == 1 && formats[0] == "jsonl"
	}
	live := len(formats) == 0
	for _, format := range formats {
		name, _, _ := strings.Cut(format, "=")
		if !slices.Contains([]string{"text", "short", "jsonl", "json"}, name) {
			return false
		}
		live = live || name != "json"
	}
	return live
}
