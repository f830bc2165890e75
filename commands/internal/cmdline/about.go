package cmdline

import (
	"slices"

	"github.com/urfave/cli/v2"
)

// About is what the command line knows of a command besides its flags.
type About struct {
	// Docs are the documents on the command that are not named after it.
	Docs []string
	// Words are the words that an operand can be; nil where none are known.
	Words func(*cli.App) []Word
	// MayBeEmpty are the flags, as --name, and "OPERAND" that mean something without a value. Any other
	// would be as if it were not there: `--anchor "$ANCHOR"` must not pass because a variable is not set.
	MayBeEmpty []string
	// Heeds are the keys of cupel.yaml about documents and records that the command heeds for each
	// input: "strict", "oatf.revision".
	Heeds []string
	// Common are the flags, without "--", that the short help of a command with many flags shows. Those of commonFlags
	// are shown without being listed.
	Common []string
}

// Section is a group of commands in the help of the program.
type Section struct {
	Title string
	Rows  []SectionRow
}

// SectionRow is a command, or a group of commands, in that help. Title replaces the usage of the command.
type SectionRow struct{ Name, Title string }

// The keys of the facts that a tree keeps about its commands.
const (
	aboutKey    = "about"
	sectionsKey = "sections"
)

// SetSections notes the sections of the program's help.
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

// SetAbout notes what there is to know of the commands of a tree, by their full names.
func SetAbout(app *cli.App, about map[string]About) {
	if app.Metadata == nil {
		app.Metadata = map[string]any{}
	}
	app.Metadata[aboutKey] = about
}

// AboutOf is what a tree knows of a command by its full name, "evidence hash".
func AboutOf(app *cli.App, name string) About {
	all, _ := app.Metadata[aboutKey].(map[string]About)
	return all[name]
}

// mayBeEmpty reports whether a flag, or the operand, of a command means something without a value.
func mayBeEmpty(app *cli.App, name, what string) bool {
	return slices.Contains(AboutOf(app, name).MayBeEmpty, what)
}
