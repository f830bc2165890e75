package commands

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/trace"
)

// traceTypes are the event types of session logs.
var traceTypes = payloadSchemas{"cupel trace schema", trace.SchemaNames, trace.Schema, strings.ToUpper}

// traceSchemaCommand is `cupel trace schema`.
func traceSchemaCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "schema",
		Usage:     "print the payload schema of a session log's event type, or list the types",
		ArgsUsage: "[EVENT_TYPE]",
		UsageText: strings.Join([]string{
			"cupel trace schema",
			"cupel trace schema TOOL_CALL",
			"cupel trace schema MODEL_REQUEST > model-request.schema.json",
		}, "\n"),
		Description: "The schemas are draft-07 JSON Schemas of SCHEMA.md v0.2. Two rules are beyond them\nand are checked by trace verify alone: hashes beside redaction markers inside args\nand result, and tool ids.",
		Action:      func(c *cli.Context) error { return traceTypes.print(env, c) },
	}
}
