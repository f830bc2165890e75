package commands

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/buildinfo"
)

func versionCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version, the commit, the Go version and the platform",
		Action: func(*cli.Context) error {
			b := buildinfo.Read()
			_, err := fmt.Fprintf(env.Stdout, "cupel %s (%s) %s %s\n", b.Version, b.Commit, b.Go, b.Platform)
			return err
		},
	}
}
