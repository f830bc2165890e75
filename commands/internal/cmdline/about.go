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
}

// aboutKey is where a tree keeps what it knows of its commands.
const aboutKey = "about"

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
