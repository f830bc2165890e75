package app

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
)

// AtLeastOne refuses flags that are given as less.
func AtLeastOne(c *cli.Context, flags ...string) error {
	for _, name := range flags {
		if n := c.Int(name); c.IsSet(name) && n < 1 {
			return &cmdline.UsageError{Message: fmt.Sprintf("--%s is %d, expected at least 1", name, n), Hint: ""}
		}
	}
	return nil
}

// OneOf rejects the named flags for several or sharded inputs.
func OneOf(c *cli.Context, inputs int, flags ...string) error {
	if err := NotSharded(c, flags...); err != nil {
		return err
	}
	for _, name := range flags {
		if inputs > 1 && c.IsSet(name) {
			return &cmdline.UsageError{Message: fmt.Sprintf("--%s is about one input, but there are %d", name, inputs), Hint: ""}
		}
	}
	return nil
}

// LiveFindings reports whether findings are streamed: with only the format jsonl, or a human format
// for a followed log.
func LiveFindings(c *cli.Context) bool {
	formats := c.StringSlice("format")
	if len(formats) == 0 {
		formats = []string{"text"}
	}
	return len(formats) == 1 && (formats[0] == "jsonl" || c.Bool("follow") && (formats[0] == "text" || formats[0] == "short"))
}
