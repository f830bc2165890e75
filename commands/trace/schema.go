package tracecmd

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/trace"
)

// Types are the event types of session logs.
var Types = app.PayloadSchemas{Command: "cupel trace schema", Types: trace.SchemaNames, Schema: trace.Schema, Letters: strings.ToUpper}

// SchemaCommand is `cupel trace schema`.
func SchemaCommand(env cmdline.Env) *cli.Command {
	return &cli.Command{
		Name:      "schema",
		Usage:     "print the payload schema of a session log's event type, or list the types",
		ArgsUsage: "[EVENT_TYPE]",
		UsageText: strings.Join([]string{
			"cupel trace schema",
			"cupel trace schema TOOL_CALL",
			"cupel trace schema MODEL_REQUEST > model-request.schema.json",
		}, "\n"),
		Description: "The schemas are draft-07 JSON Schemas of SCHEMA.md v0.2. They cannot express\ntwo rules, which only trace verify checks: hashes next to redaction markers inside args\nand result, and tool ids.",
		Action:      func(c *cli.Context) error { return Types.Print(env, c) },
	}
}
