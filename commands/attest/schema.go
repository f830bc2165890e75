package attestcmd

import (
	"io"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest/suite"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
)

// SchemaCommand is `cupel attest schema`.
func SchemaCommand(env cmdline.Env) *cli.Command {
	return &cli.Command{
		Name:  "schema",
		Usage: "print the JSON Schema of the suites that attest eval reads",
		UsageText: "cupel attest schema\n" +
			"cupel attest schema > attest-suite.schema.json\n" +
			"cupel attest schema | jq '.[\"$defs\"].content'",
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return &cmdline.UsageError{Message: "attest schema takes no operands", Hint: ""}
			}
			_, err := io.WriteString(env.Stdout, suite.Schema())
			return err
		},
	}
}
