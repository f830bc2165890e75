package commands

import (
	"encoding/json"

	"github.com/urfave/cli/v2"
)

// writeJSON writes a document of a command that reports no findings.
func writeJSON(env Env, document any) error {
	enc := json.NewEncoder(env.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(document)
}

// mistakeAsJSON puts a mistake on the command line of such a command into its
// document, when JSON was asked for.
func mistakeAsJSON(env Env, schema string) cli.OnUsageErrorFunc {
	return func(c *cli.Context, mistake error, _ bool) error {
		if c.String("format") != "json" {
			return mistake
		}
		err := writeJSON(env, struct {
			Schema string   `json:"schema"`
			Status string   `json:"status"`
			Errors []string `json:"errors"`
		}{schema, "error", []string{mistake.Error()}})
		if err != nil {
			return err
		}
		return mistake
	}
}
