package evidencecmd

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence/payload"
	_ "github.com/cupel-dev/cupel/evidence/payload/reference"
)

// Types are the event types of the evidence contract.
var Types = app.PayloadSchemas{Command: "cupel evidence schema", Types: payload.Types, Schema: payload.Schema, Letters: strings.ToLower}

// SchemaCommand is `cupel evidence schema`.
func SchemaCommand(env cmdline.Env) *cli.Command {
	return &cli.Command{
		Name:      "schema",
		Usage:     "print the payload schema of an event type of the evidence contract, or list the types",
		ArgsUsage: "[TYPE]",
		UsageText: strings.Join([]string{
			"cupel evidence schema",
			"cupel evidence schema assay.tool.decision",
			"cupel evidence schema assay.fs.access > fs-access.schema.json",
		}, "\n"),
		Description: "The schemas are draft-07 JSON Schemas of what ADR-006 §3 says of the member data. They\nhold its errors. That policy_snapshot_digest is the same digest as policy_digest is beyond\nthem. So is what concerns the envelope, and the run as a whole.",
		Action:      func(c *cli.Context) error { return Types.Print(env, c) },
	}
}
