package commands

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/trace"
)

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
		Action: func(c *cli.Context) error {
			switch c.Args().Len() {
			case 0:
				_, err := fmt.Fprintln(env.Stdout, strings.Join(trace.SchemaNames(), "\n"))
				return err
			case 1:
			default:
				return &usageError{fmt.Sprintf("%d event types, expected one", c.Args().Len()), "`cupel trace schema` lists them"}
			}
			name := c.Args().First()
			text, ok := trace.Schema(strings.ToUpper(name))
			if !ok {
				hint := suggest.Hint(strings.ToUpper(name), trace.SchemaNames())
				if hint == "" {
					hint = "`cupel trace schema` lists the event types"
				}
				return &usageError{fmt.Sprintf("no payload schema for event type %q", name), hint}
			}
			_, err := env.Stdout.Write(text)
			return err
		},
	}
}
