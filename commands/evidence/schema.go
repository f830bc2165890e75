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
		Description: "The schemas are draft-07 JSON Schemas of the member data in ADR-006 §3, without its\nwarnings. They cannot express that policy_snapshot_digest equals policy_digest, nor rules\nabout the envelope and the run.",
		Action:      func(c *cli.Context) error { return Types.Print(env, c) },
	}
}
