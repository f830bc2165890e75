package attestcmd

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/serve"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
)

// memoryFlags returns the flags that limit the memory of evaluations.
func memoryFlags(category string) []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "max-values", Category: category, Usage: fmt.Sprintf("`N`: most JSON values of one request or trace (default: %d)", attest.MaxValues)},
		&cli.IntFlag{Name: "max-memory-bytes", Category: category, Usage: fmt.Sprintf("`N`: most bytes of concurrent evaluations, estimated; others wait (default: %d)", serve.DefaultMemory)},
	}
}

// readMemoryFlags applies the flags to the configuration and sets the heap limit.
func readMemoryFlags(c *cli.Context, config *serve.Config) error {
	for _, f := range []struct {
		name string
		to   *int
	}{{"max-values", &config.Engine.Limits.Values}, {"max-memory-bytes", &config.Memory}} {
		switch n := c.Int(f.name); {
		case !c.IsSet(f.name):
		case n < 1 || n > serve.MaxConfigured:
			return cmdline.OutOfRange(f.name, n, serve.MaxConfigured)
		default:
			*f.to = n
		}
	}
	app.RaiseHeap(config.Memory - serve.DefaultMemory)
	return nil
}
