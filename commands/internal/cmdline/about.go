package cmdline

import (
	"slices"

	"github.com/urfave/cli/v2"
)

// About is the metadata of a command other than its flags.
type About struct {
	// Docs are further documents about the command.
	Docs []string
	// Words returns the known values of an operand, or is nil.
	Words func(*cli.App) []Word
	// MayBeEmpty lists flags (--name) and "OPERAND" that can have an empty value. Others reject it, so that
	// `--anchor "$ANCHOR"` does not pass if the variable is unset.
	MayBeEmpty []string
	// Heeds lists the keys of cupel.yaml that the command applies per input: "strict", "oatf.revision".
	Heeds []string
	// Common lists the flags, without "--", in the short help of a command with many flags, besides commonFlags.
	Common []string
}

// Section is a group of commands in the help of the program.
type Section struct {
	Title string
	Rows  []SectionRow
}

// SectionRow is a command, or a group of commands, in that help. Title replaces the usage of the command.
type SectionRow struct{ Name, Title string }

// Metadata keys of the command tree.
const (
	aboutKey    = "about"
	sectionsKey = "sections"
)

// SetSections sets the sections of the program's help.
func SetSections(app *cli.App, sections []Section) {
	if app.Metadata == nil {
		app.Metadata = map[string]any{}
	}
	app.Metadata[sectionsKey] = sections
}

// SectionsOf returns the sections of the program's help.
func SectionsOf(app *cli.App) []Section {
	list, _ := app.Metadata[sectionsKey].([]Section)
	return list
}

// SetAbout sets the metadata of a tree's commands by full name.
func SetAbout(app *cli.App, about map[string]About) {
	if app.Metadata == nil {
		app.Metadata = map[string]any{}
	}
	app.Metadata[aboutKey] = about
}

// AboutOf returns a command's metadata by its full name, such as "evidence hash".
func AboutOf(app *cli.App, name string) About {
	all, _ := app.Metadata[aboutKey].(map[string]About)
	return all[name]
}

// mayBeEmpty reports whether a flag or operand can have an empty value.
func mayBeEmpty(app *cli.App, name, what string) bool {
	return slices.Contains(AboutOf(app, name).MayBeEmpty, what)
}
