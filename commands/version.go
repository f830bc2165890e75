package commands

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/buildinfo"
)

// specifications are the documents that this build implements.
var specifications = []specification{
	{"reasoning trace format", "1"},
	{"session log schema", "0.2"},
	{"evidence contract (ADR-006)", "1.0"},
}

type specification struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func versionCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "version",
		Usage:     "print the version, the commit, the Go version and the platform",
		UsageText: "cupel version\ncupel version --format json\ncupel version --format json | jq -r .version",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Category: "Output", Value: "text", Usage: "`FORMAT`: text or json, which adds the specifications"},
		},
		OnUsageError: mistakeAsJSON(env, "cupel.version/1"),
		Action: func(c *cli.Context) error {
			b := buildinfo.Read()
			switch format := c.String("format"); format {
			case "text":
				_, err := fmt.Fprintf(env.Stdout, "cupel %s (%s) %s %s\n", b.Version, b.Commit, b.Go, b.Platform)
				return err
			case "json":
				return writeVersionJSON(env, b)
			default:
				return badValue("format", format, []string{"text", "json"})
			}
		},
	}
}

func writeVersionJSON(env Env, b buildinfo.Info) error {
	return writeJSON(env, struct {
		Schema         string          `json:"schema"`
		Status         string          `json:"status"`
		Version        string          `json:"version"`
		Commit         string          `json:"commit"`
		Go             string          `json:"go"`
		Platform       string          `json:"platform"`
		Specifications []specification `json:"specifications"`
	}{"cupel.version/1", "ok", b.Version, b.Commit, b.Go, b.Platform, specifications})
}
