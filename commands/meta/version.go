// Package metacmd contains the commands about cupel itself: rules, schemas, version and help.
package metacmd

import (
	"bufio"
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/buildinfo"
)

// specifications are the contracts that this build implements.
var specifications = []specification{
	{"reasoning trace format", "1"},
	{"session log schema", "0.2"},
	{"evidence contract (ADR-006)", "1.0"},
	{"OATF SDK specification", "0.1"},
	{"OATF SDK specification", "2026-03"},
	{"attest protocol", "1"},
}

type specification struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type versionOptions struct{ app.FormatOption }

// Version is `cupel version`.
var Version = app.Spec[versionOptions]{
	Name:     "version",
	Usage:    "print the version, commit, Go version, platform and specifications",
	Examples: []string{"cupel version", "cupel version --format json", "cupel version --format json | jq -r .version"},
	About:    cmdline.About{Docs: []string{"json"}},
	Shows:    app.Shown{Schema: "cupel.version/1", Lists: []string{"specifications"}},
	Flags: func(o *versionOptions) []cli.Flag {
		return []cli.Flag{o.Flag("`FORMAT`: text or json", versionForms.Words())}
	},
	Run: app.Answer(versionForms, func(context.Context, *app.Run, versionOptions) (buildinfo.Info, error) { return buildinfo.Read(), nil }),
}

var versionForms = app.Forms[buildinfo.Info]{{Name: "text", Write: versionText}, {Name: "json", Write: versionJSON}}

func versionText(w *bufio.Writer, b buildinfo.Info) error {
	fmt.Fprintf(w, "cupel %s (%s) %s %s\n", b.Version, b.Commit, b.Go, b.Platform)
	for _, s := range specifications {
		fmt.Fprintf(w, "  %-28s %s\n", s.Name, s.Version)
	}
	return nil // a bufio.Writer keeps its error
}

func versionJSON(w *bufio.Writer, b buildinfo.Info) error {
	return app.WriteJSON(w, struct {
		Schema         string          `json:"schema"`
		Status         string          `json:"status"`
		Version        string          `json:"version"`
		Commit         string          `json:"commit"`
		Go             string          `json:"go"`
		Platform       string          `json:"platform"`
		Specifications []specification `json:"specifications"`
	}{"cupel.version/1", "ok", b.Version, b.Commit, b.Go, b.Platform, specifications})
}
