package app

import (
	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
)

// Command is a command, independent of the type of its options.
type Command struct {
	Name string // in full: "evidence hash"
	cmdline.About
	Make func(cmdline.Env) *cli.Command
}
