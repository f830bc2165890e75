package commands

import (
	"slices"

	"github.com/urfave/cli/v2"
)

// knownOperands are the words that an operand of a command can be, by the command's name; nil
// stands for no known ones.
func knownOperands(app *cli.App, command string) func() []word {
	switch command {
	case "completion":
		return func() []word { return wordsOf(shells(), shellMeans) }
	case "evidence schema":
		return evidenceTypes.words
	case "explain":
		return func() []word { return rulesAsWords(allRules()) }
	case "help":
		return func() []word { return slices.Concat(topicWords(app), commandWords(app.Commands)) }
	case "schema":
		return schemaWords
	case "trace schema":
		return traceTypes.words
	}
	return nil
}

func schemaWords() (words []word) {
	for _, name := range schemaNames() {
		words = append(words, word{name, schemaTitle(name)})
	}
	return words
}
