package commands

import (
	"slices"

	"github.com/urfave/cli/v2"

	evidencecmd "github.com/cupel-dev/cupel/commands/evidence"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	metacmd "github.com/cupel-dev/cupel/commands/meta"
	tracecmd "github.com/cupel-dev/cupel/commands/trace"
)

// knownOperands are the words that an operand of a command can be, by the command's name; nil
// stands for no known ones.
func knownOperands(app *cli.App, command string) func() []cmdline.Word {
	switch command {
	case "completion":
		return func() []cmdline.Word { return cmdline.WordsOf(cmdline.Shells(), cmdline.ShellMeans) }
	case "evidence schema":
		return evidencecmd.Types.Words
	case "explain":
		return func() []cmdline.Word { return cmdline.RulesAsWords(rulelist.AllRules()) }
	case "help":
		return func() []cmdline.Word {
			return slices.Concat(cmdline.TopicWords(app), cmdline.CommandWords(app.Commands))
		}
	case "schema":
		return schemaWords
	case "trace schema":
		return tracecmd.Types.Words
	}
	return nil
}

func schemaWords() (words []cmdline.Word) {
	for _, name := range metacmd.SchemaNames() {
		words = append(words, cmdline.Word{Name: name, Means: metacmd.SchemaTitle(name)})
	}
	return words
}
