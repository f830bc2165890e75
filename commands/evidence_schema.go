package commands

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/evidence/payload"
	_ "github.com/cupel-dev/cupel/evidence/payload/reference" // --engine reference and both
)

// evidenceTypes are the event types of the evidence contract.
var evidenceTypes = payloadSchemas{"cupel evidence schema", payload.Types, payload.Schema, strings.ToLower}

// evidenceSchemaCommand is `cupel evidence schema`.
func evidenceSchemaCommand(env Env) *cli.Command {
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
		Action:      func(c *cli.Context) error { return evidenceTypes.print(env, c) },
	}
}
